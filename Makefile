# SPDX-License-Identifier: MIT
# make [config=release|debug|sanitize|tsan|coverage|fuzz] [all|bake|view|test|fuzz|bench|install|clean]
#
# Binaries go to build/<config>/. The baker needs zlib, libpng, nettle, jansson and OpenMP; the viewer is
# built only where its sources and libraries are there. scripts/deps installs everything.
config ?= release
BUILD ?= build/$(config)
PREFIX ?= /usr/local
DESTDIR ?=
werror ?= 1

VERSION := 0.1.0

ifeq ($(origin CC),default)
  ifneq ($(filter $(config),tsan coverage fuzz),)
    CC := clang
  else
    CC := gcc
  endif
endif

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
ifeq ($(werror),1)
  WARNINGS += -Werror
endif

# Same bits everywhere: no contraction to fused multiply-add, never fast-math. The two -fno flags keep all values
# and let gcc vectorise loops with floor() (13 times faster without trapping maths).
NUMERICS := -ffp-contract=off -fno-trapping-math -fno-math-errno
HARDENING := -fstack-protector-strong -fPIE -ftrivial-auto-var-init=zero
LINK_HARDENING := -pie -Wl,-z,relro,-z,now,-z,noexecstack

ifeq ($(config),release)
  MODE := -O3 -D_FORTIFY_SOURCE=2 -fstack-clash-protection -fcf-protection $(HARDENING)
  LINK_MODE := $(LINK_HARDENING)
else ifeq ($(config),debug)
  MODE := -O0 -g
else ifeq ($(config),sanitize)
  MODE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
  LINK_MODE := -fsanitize=address,undefined
else ifeq ($(config),tsan)
  MODE := -O1 -g -fsanitize=thread
  LINK_MODE := -fsanitize=thread
else ifeq ($(config),coverage)
  MODE := -O1 -g -fprofile-instr-generate -fcoverage-mapping
  LINK_MODE := -fprofile-instr-generate
else ifeq ($(config),fuzz)
  MODE := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
  LINK_MODE := -fsanitize=address,undefined
else
  $(error config=$(config): must be release, debug, sanitize, tsan, coverage or fuzz)
endif

# Fixed-width hosts only: x86-64 vector variants are compiled where the compiler targets x86-64.
ARCH := $(shell $(CC) -dumpmachine 2>/dev/null | cut -d- -f1)

CPPFLAGS += -I. -I$(BUILD)/generated -D_XOPEN_SOURCE=700 -DTERRANE_VERSION='"$(VERSION)"'
CFLAGS += -std=c11 -fopenmp $(WARNINGS) $(NUMERICS) $(MODE) -ffile-prefix-map=$(CURDIR)=.
LDFLAGS += -fopenmp $(LINK_MODE)
LDLIBS += -lpng -lz -lnettle -ljansson -lm

common_sources := $(wildcard common/*.c)
formats_sources := $(wildcard formats/*.c)
bake_sources := $(filter-out bake/main.c,$(wildcard bake/*.c bake/planet/*.c))
test_sources := $(wildcard tests/test_*.c)
fuzz_sources := $(wildcard tests/fuzz_*.c)

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
common_objects := $(call objects,$(common_sources))
formats_objects := $(call objects,$(formats_sources))

# The planet engine's kernels are one source compiled once per vector width; dispatch.c chooses at run time.
KERNEL := bake/planet/kernels_template.c
ifneq ($(wildcard $(KERNEL)),)
  kernel_objects := $(BUILD)/bake/planet/kernels_base.o
  ifeq ($(ARCH),x86_64)
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

# ---- the viewer: built where GLFW, EGL, glad and stb_easy_font are there ------------------------------------
GLAD_PYTHON ?= /usr/bin/python3
GLAD_EXTENSIONS := GL_ARB_clip_control,GL_KHR_debug
view_sources := $(filter-out view/main.c,$(wildcard view/*.c))
view_objects := $(call objects,$(view_sources)) $(BUILD)/generated/shaders.o $(BUILD)/generated/glad/gl.o
VIEW_CPPFLAGS := -isystem $(BUILD)/generated/glad/include
VIEW_LDLIBS := -lglfw -lEGL -lpthread

.PHONY: all bake view test fuzz bench install uninstall clean check format tests-build
all: bake view
bake: $(BUILD)/terrane
view:

$(BUILD)/terrane: $(call objects,$(wildcard bake/main.c)) $(BUILD)/libbake.a $(BUILD)/libformats.a $(BUILD)/libcommon.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libcommon.a: $(common_objects)
$(BUILD)/libformats.a: $(formats_objects)
$(BUILD)/libbake.a: $(bake_objects)
$(BUILD)/lib%.a:
	@rm -f $@
	ar rcsD $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/bake/planet/kernels_base.o: $(KERNEL)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -DKERNELS=kernels_base -DKERNELS_NAME='"base"' -MMD -MP -c -o $@ $<
$(BUILD)/bake/planet/kernels_avx2.o: $(KERNEL)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -mavx2 -DKERNELS=kernels_avx2 -DKERNELS_NAME='"avx2"' -MMD -MP -c -o $@ $<
$(BUILD)/bake/planet/kernels_avx512.o: $(KERNEL)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512 \
	  -DKERNELS=kernels_avx512 -DKERNELS_NAME='"avx512"' -MMD -MP -c -o $@ $<

$(BUILD)/generated/builtin_planets.c: $(planet_files) scripts/embed-planets
	@mkdir -p $(@D)
	scripts/embed-planets $(planet_files) > $@.new && mv $@.new $@
$(BUILD)/generated/builtin_planets.o: $(BUILD)/generated/builtin_planets.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/generated/glad/include/glad/gl.h: Makefile
	@mkdir -p $(@D)
	$(GLAD_PYTHON) -m glad --api gl:core=3.3 --extensions '$(GLAD_EXTENSIONS)' --out-path $(BUILD)/generated/glad \
	  --quiet --reproducible c
$(BUILD)/generated/glad/src/gl.c: $(BUILD)/generated/glad/include/glad/gl.h ;
# Generated code: its warnings are not ours.
$(BUILD)/generated/glad/gl.o: $(BUILD)/generated/glad/src/gl.c
	$(CC) $(VIEW_CPPFLAGS) -std=c11 $(MODE) -w -c -o $@ $<
$(BUILD)/generated/shaders.c: $(wildcard view/shaders/*) scripts/embed-shaders
	@mkdir -p $(@D)
	scripts/embed-shaders $(sort $(wildcard view/shaders/*)) > $@.new && mv $@.new $@
$(BUILD)/generated/shaders.o: $(BUILD)/generated/shaders.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$(call objects,$(wildcard view/*.c)): CPPFLAGS += $(VIEW_CPPFLAGS)
$(call objects,$(wildcard view/*.c)): | $(BUILD)/generated/glad/include/glad/gl.h
$(BUILD)/libview.a: $(view_objects)
$(BUILD)/terrane-view: $(call objects,view/main.c) $(BUILD)/libview.a $(BUILD)/libformats.a $(BUILD)/libcommon.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(VIEW_LDLIBS)

# ---- tests: one program per file --------------------------------------------------------------------------
test_programs := $(patsubst tests/%.c,$(BUILD)/tests/%,$(test_sources))
$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(BUILD)/libbake.a $(BUILD)/libformats.a $(BUILD)/libcommon.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
tests-build: $(test_programs)
test: $(test_programs) $(BUILD)/terrane
	scripts/run-tests $(BUILD)

# ---- fuzzers: libFuzzer in config=fuzz ---------------------------------------------------------------------
fuzz_programs := $(patsubst tests/%.c,$(BUILD)/tests/%,$(fuzz_sources))
$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(BUILD)/libbake.a $(BUILD)/libformats.a $(BUILD)/libcommon.a
	$(CC) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)
fuzz: $(fuzz_programs)

clean:
	rm -rf build

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
