# SPDX-License-Identifier: MIT
# make [config=release|debug|sanitize|tsan|coverage|fuzz] [TARGET]
#
#   all          the programs (the default)             test         build and run all tests
#   install      to $(DESTDIR)$(PREFIX); uninstall      fuzz         the fuzz targets (config=fuzz)
#   format       clang-format over all sources          check        what CI runs: scripts/check
#   bench        figures: scripts/bench                 clean        removes build/
#   soak-KIND    by hand, long: cli kill faults powerloss flips fuzz valgrind big; scripts/soak says what
#   soak-machines  all worlds, flags and machines
# V=1 shows the commands.
#
# Everything made goes to BUILD, which is build/<config>/. The baker needs zlib, libpng, nettle, jansson and
# OpenMP; scripts/deps installs them.
config ?= release
BUILD ?= build/$(config)
PREFIX ?= /usr/local
DESTDIR ?=
werror ?= 1

VERSION := 0.1.0

ifeq ($(filter $(config),release debug sanitize tsan coverage fuzz),)
  $(error config=$(config): must be release, debug, sanitize, tsan, coverage or fuzz)
endif

# ThreadSanitizer knows clang's OpenMP runtime only, and libFuzzer comes with clang.
ifeq ($(origin CC),default)
  CC := $(if $(filter $(config),tsan coverage fuzz),clang,gcc)
endif
compiler := $(shell $(CC) --version | head -n 1)
ifeq ($(compiler),)
  $(error CC=$(CC): cannot be run; scripts/deps installs what is needed)
endif
is_clang := $(findstring clang,$(compiler))
is_x86_64 := $(filter x86_64%,$(shell $(CC) -dumpmachine))

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
ifeq ($(werror),1)
  WARNINGS += -Werror
endif

# Same bits everywhere: no contraction to fused multiply-add, never fast-math. The two -fno flags keep all values
# and let gcc vectorise loops with floor() (13 times faster without trapping maths).
NUMERICS := -ffp-contract=off -fno-trapping-math -fno-math-errno
# gcc would compute in double what is float on s390x, because its C library has a wide float_t.
ifeq ($(is_clang),)
  NUMERICS += -fexcess-precision=fast
endif

HARDENING := -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fPIE
ifneq ($(is_x86_64),)
  HARDENING += -fcf-protection
endif
# Of these machines clang 14 has it for x86-64 and s390x only.
ifneq ($(is_x86_64)$(if $(is_clang),,gcc),)
  HARDENING += -fstack-clash-protection
endif
# clang 14 has this only behind a flag with a long name; gcc is what packages are built with.
ifeq ($(is_clang),)
  HARDENING += -ftrivial-auto-var-init=zero
endif

SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all
COVERAGE := $(if $(is_clang),-fprofile-instr-generate -fcoverage-mapping,--coverage)
ifeq ($(config)$(is_clang),fuzz)
  $(error config=fuzz needs CC=clang)
endif

MODE_release := -O3 $(HARDENING)
LINK_release := -pie -Wl,-z,relro,-z,now,-z,noexecstack
MODE_debug := -O0 -g
# Lines are what a report names; all the rest of -g would take a fifth of the time.
MODE_sanitize := -O1 -g1 -fno-omit-frame-pointer $(SANITIZERS)
LINK_sanitize := $(SANITIZERS)
MODE_tsan := -O1 -g1 -fsanitize=thread
LINK_tsan := -fsanitize=thread
MODE_coverage := -O1 -g $(COVERAGE)
LINK_coverage := $(COVERAGE)
MODE_fuzz := -O1 -g1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link $(SANITIZERS)
LINK_fuzz := $(SANITIZERS)

# Given on the command line, CFLAGS and LDFLAGS come on top of ours.
all_cppflags := -I. -I$(BUILD)/generated -D_XOPEN_SOURCE=700 -DTERRANE_VERSION='"$(VERSION)"' $(CPPFLAGS)
all_cflags := -std=c11 -fopenmp $(WARNINGS) $(MODE_$(config)) -ffile-prefix-map=$(CURDIR)=. $(CFLAGS) $(NUMERICS)
all_ldflags := -fopenmp $(LINK_$(config)) $(LDFLAGS)
libraries := -lpng -lz -lnettle -ljansson -lm

comma := ,
say = $(if $(V),,@printf '  %-5s%s\n' $(1) $@; )
compile = $(call say,CC)$(CC) $(all_cppflags) $(all_cflags) -MMD -MP -c -o $@
link = $(call say,LINK)$(CC) $(all_ldflags) -o $@ $(filter %.o %.a,$^) $(libraries)
flags_text := $(compiler) $(CC) $(all_cppflags) $(all_cflags) $(all_ldflags) $(libraries)

common_sources := $(wildcard common/*.c)
formats_sources := $(wildcard formats/*.c)
bake_sources := $(filter-out bake/main.c,$(wildcard bake/*.c bake/planet/*.c))

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
common_objects := $(call objects,$(common_sources))
formats_objects := $(call objects,$(formats_sources))

# The planet engine's kernels are one source compiled once per vector width; the dispatcher chooses at run time.
KERNEL := bake/planet/kernels_template.c
ifneq ($(wildcard $(KERNEL)),)
  kernel_objects := $(BUILD)/bake/planet/kernels_base.o
  ifneq ($(is_x86_64),)
    kernel_objects += $(BUILD)/bake/planet/kernels_avx2.o $(BUILD)/bake/planet/kernels_avx512.o
  endif
endif
bake_sources := $(filter-out $(KERNEL),$(bake_sources))

# Built-in planets are planet files, compiled into the program as text.
planet_files := $(sort $(wildcard bake/planet/builtin/*.planet))
ifneq ($(planet_files),)
  builtin_objects := $(BUILD)/generated/builtin_planets.o
endif
bake_objects := $(call objects,$(bake_sources)) $(kernel_objects) $(builtin_objects)

.PHONY: all bake view objects test tests-build fuzz bench soak-fuzz soak-valgrind soak-machines install uninstall \
  clean check format FORCE
all: bake view
bake: $(BUILD)/terrane

# ---- compiling ---------------------------------------------------------------------------------------------
# These two files change when the flags (or the compiler) do and when sources come or go, and only then.
keep = @mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/flags: FORCE
	$(call keep,$(flags_text))
$(BUILD)/sources: FORCE
	$(call keep,$(common_objects) $(formats_objects) $(bake_objects))

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(compile) $<

# Kernels open, allocate and free nothing, and gcc's analyser would take minutes over them.
unanalysed := $(if $(findstring -fanalyzer,$(CFLAGS)),-fno-analyzer)
# Long loops of arithmetic in 16 registers: gcc orders them better if it may do so before it hands out registers, but
# not beyond a branch (6 % quicker on earthlike).
reordered := $(if $(is_clang),,-fschedule-insns -fsched-pressure -fno-sched-interblock)
$(BUILD)/bake/planet/kernels_base.o: $(KERNEL) $(BUILD)/flags
	@mkdir -p $(@D)
	$(compile) $(unanalysed) -DKERNELS=kernels_base -DKERNELS_NAME='"base"' $<
$(BUILD)/bake/planet/kernels_avx2.o: $(KERNEL) $(BUILD)/flags
	@mkdir -p $(@D)
	$(compile) $(unanalysed) $(reordered) -mavx2 -DKERNELS=kernels_avx2 -DKERNELS_NAME='"avx2"' $<
$(BUILD)/bake/planet/kernels_avx512.o: $(KERNEL) $(BUILD)/flags
	@mkdir -p $(@D)
	$(compile) $(unanalysed) -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512 \
	  -DKERNELS=kernels_avx512 -DKERNELS_NAME='"avx512"' $<

$(BUILD)/generated/builtin_planets.c: $(planet_files) scripts/embed-planets $(BUILD)/sources
	@mkdir -p $(@D)
	scripts/embed-planets $(planet_files) > $@.new && mv $@.new $@
$(BUILD)/generated/builtin_planets.o: $(BUILD)/generated/builtin_planets.c $(BUILD)/flags
	$(compile) $<

$(BUILD)/libcommon.a: $(common_objects)
$(BUILD)/libformats.a: $(formats_objects)
$(BUILD)/libbake.a: $(bake_objects)
$(BUILD)/lib%.a: $(BUILD)/sources
	@rm -f $@
	$(call say,AR)ar rcD $@ $(filter %.o,$^)
libraries_made := $(BUILD)/libbake.a $(BUILD)/libformats.a $(BUILD)/libcommon.a

# Without linking: for analysers that are a compiler.
objects: $(common_objects) $(formats_objects) $(bake_objects) $(BUILD)/bake/main.o

$(BUILD)/terrane: $(BUILD)/bake/main.o $(libraries_made) $(BUILD)/flags
	$(link)

include view/view.mk

# ---- tests: one program per file; benchmarks and fuzz targets likewise --------------------------------------
test_programs := $(patsubst tests/%.c,$(BUILD)/tests/%,$(filter-out $(untestable),$(wildcard tests/test_*.c)))
bench_programs := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/bench_*.c))
fuzz_programs := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz_*.c))
.SECONDARY: $(addsuffix .o,$(test_programs) $(bench_programs) $(fuzz_programs))

# What they test is as a release has it; they themselves compile in half the time so.
ifeq ($(config),release)
$(addsuffix .o,$(test_programs)): all_cflags += -O1
endif

$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(libraries_made) $(BUILD)/flags
	$(link)
# There the allocations of our own objects are made to fail.
wrapped := malloc calloc realloc aligned_alloc strdup strndup
$(BUILD)/tests/test_out_of_memory: all_ldflags += $(addprefix -Wl$(comma)--wrap=,$(wrapped))
# The benchmarks compare with these libraries where they are installed; nothing else uses them.
libdeflate := $(shell pkg-config --libs libdeflate 2>/dev/null)
libnoise := $(if $(wildcard /usr/include/libnoise/noise.h),-lnoise)
stb_perlin := $(wildcard /usr/include/stb/stb_perlin.h)
$(BUILD)/tests/bench_codec.o: all_cppflags += $(if $(libdeflate),-DHAVE_LIBDEFLATE)
$(BUILD)/tests/bench_rivals.o: all_cppflags += $(if $(libnoise),-DHAVE_LIBNOISE) $(if $(stb_perlin),-DHAVE_STB_PERLIN)
$(BUILD)/tests/bench_codec: libraries += $(libdeflate)
$(BUILD)/tests/bench_rivals: libraries += $(libnoise)
$(BUILD)/tests/bench_%: $(BUILD)/tests/bench_%.o $(libraries_made) $(BUILD)/flags
	$(link)
$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(libraries_made) $(BUILD)/flags
	$(link) -fsanitize=fuzzer

tests-build: $(test_programs)
test: $(test_programs) $(BUILD)/terrane
	scripts/run-tests $(BUILD)

fuzz: $(fuzz_programs)
ifneq ($(config),fuzz)
	@echo "make fuzz: needs config=fuzz" >&2; exit 2
endif

.PHONY: bench-build
bench-build: $(bench_programs)
bench: $(BUILD)/terrane $(bench_programs)
	scripts/bench $(BUILD)

# By hand: what CI does with some, with very many.
soak_kinds := cli kill faults powerloss flips big
soak_programs := $(addprefix $(BUILD)/tests/test_,power_loss bake_faults pack_faults pack_flips out_of_memory verbs_hostile)
$(addprefix soak-,$(soak_kinds)): soak-%: $(BUILD)/terrane $(soak_programs)
	BUILD='$(BUILD)' scripts/soak $*
soak-fuzz:
	$(MAKE) config=fuzz $(if $(filter file,$(origin BUILD)),,BUILD='$(BUILD)') fuzz
	$(if $(filter file,$(origin BUILD)),,BUILD='$(BUILD)') scripts/soak fuzz
# Without optimisation that hides, and without variables set to 0, which a release has.
soak-valgrind:
	$(MAKE) config=debug $(if $(filter file,$(origin BUILD)),BUILD=build/valgrind,BUILD='$(BUILD)') CFLAGS=-O1 tests-build
	$(if $(filter file,$(origin BUILD)),,BUILD='$(BUILD)') scripts/soak valgrind

# Half an hour or more.
soak-machines: $(BUILD)/terrane
	others=$$(scripts/build-flags --all) && scripts/check-same-bytes $< $$others
	scripts/check-machines --worlds $(BUILD)

check:
	scripts/check

format:
	@clang-format-14 -i $(wildcard common/*.[ch] formats/*.[ch] bake/*.[ch] bake/planet/*.[ch] view/*.[ch] tests/*.[ch])

# ---- installing: the manual and the completions come out of the programs themselves -------------------------------
programs := terrane $(if $(strip $(view_missing)),,terrane-view)
$(BUILD)/%.1: $(BUILD)/%
	$(call say,MAN)$< --man > $@.new && mv $@.new $@
$(BUILD)/%.bash: $(BUILD)/%
	$(call say,MAKE)$< --completion bash > $@.new && mv $@.new $@
$(BUILD)/%.zsh: $(BUILD)/%
	$(call say,MAKE)$< --completion zsh > $@.new && mv $@.new $@
$(BUILD)/%.fish: $(BUILD)/%
	$(call say,MAKE)$< --completion fish > $@.new && mv $@.new $@

# FILE:MODE:PLACE of all that is installed of program $(1).
installed = $(1):755:bin/$(1) $(1).1:644:share/man/man1/$(1).1 $(1).bash:644:share/bash-completion/completions/$(1) \
  $(1).zsh:644:share/zsh/site-functions/_$(1) $(1).fish:644:share/fish/vendor_completions.d/$(1).fish
parts_of = $(subst :, ,$(1))

install: $(foreach p,$(programs),$(addprefix $(BUILD)/,$(p) $(p).1 $(p).bash $(p).zsh $(p).fish))
	$(foreach i,$(foreach p,$(programs),$(call installed,$(p))),install -D -m $(word 2,$(call parts_of,$(i))) \
	  '$(BUILD)/$(word 1,$(call parts_of,$(i)))' '$(DESTDIR)$(PREFIX)/$(word 3,$(call parts_of,$(i)))' &&) true

uninstall:
	rm -f $(foreach i,$(call installed,terrane) $(call installed,terrane-view),\
	  '$(DESTDIR)$(PREFIX)/$(word 3,$(call parts_of,$(i)))')

clean:
	rm -rf build

FORCE:

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
