# SPDX-License-Identifier: MIT
# The viewer's part of the Makefile: built where GLFW, EGL, glad and stb_easy_font are there, else passed over with
# one line, so that the baker builds on a machine without any of them.
GLAD_PYTHON ?= /usr/bin/python3
GLAD_EXTENSIONS := GL_ARB_clip_control,GL_KHR_debug
view_sources := $(filter-out view/main.c,$(wildcard view/*.c))
view_objects := $(call objects,$(view_sources)) $(BUILD)/generated/shaders.o $(BUILD)/generated/glad/gl.o
view_libraries := -lglfw -lEGL -lpthread
view_missing := $(shell pkg-config --exists glfw3 egl 2>/dev/null || echo libglfw3-dev libegl-dev; \
  test -e /usr/include/stb/stb_easy_font.h || echo libstb-dev; $(GLAD_PYTHON) -c 'import glad' 2>/dev/null || echo python3-glad)

ifeq ($(strip $(view_missing)),)
view: $(BUILD)/terrane-view
else
untestable := $(wildcard tests/test_gl_*.c)
view:
	@echo 'terrane-view is not built: $(strip $(view_missing)) missing (scripts/deps installs them)'
endif
# Tests that draw are for the software rasteriser's plain speed; under sanitizers its own leaks would be reported as ours.
ifeq ($(filter $(config),release debug),)
untestable := $(wildcard tests/test_gl_*.c)
endif

glad_header := $(BUILD)/generated/glad/include/glad/gl.h
$(glad_header): view/view.mk
	@mkdir -p $(@D)
	$(GLAD_PYTHON) -m glad --api gl:core=3.3 --extensions '$(GLAD_EXTENSIONS)' --out-path $(BUILD)/generated/glad \
	  --quiet --reproducible c
$(BUILD)/generated/glad/src/gl.c: $(glad_header) ;
# Generated code: its warnings are not ours.
$(BUILD)/generated/glad/gl.o: $(BUILD)/generated/glad/src/gl.c $(BUILD)/flags
	$(compile) -isystem $(BUILD)/generated/glad/include -w $<
shader_files := $(sort $(wildcard view/shaders/*))
$(BUILD)/generated/shaders.c: $(shader_files) scripts/embed-shaders
	@mkdir -p $(@D)
	scripts/embed-shaders $(shader_files) > $@.new && mv $@.new $@
$(BUILD)/generated/shaders.o: $(BUILD)/generated/shaders.c $(BUILD)/flags
	$(compile) $<
$(patsubst %,$(BUILD)/view/%.o,$(view_core)): $(BUILD)/view/%.o: view/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(compile) $<
$(BUILD)/view/%.o: view/%.c $(BUILD)/flags | $(glad_header)
	@mkdir -p $(@D)
	$(compile) -isystem $(BUILD)/generated/glad/include $<
$(BUILD)/libview.a: $(view_objects)

# What needs no OpenGL is tested without it: tests/test_view_*.c link this part alone, so a GL call in it fails to link.
# tests/test_gl_*.c link everything and draw headless.
view_core := camera cull stream stream_select tile_geometry tile_piece tile_data ground controls flight_path frame_stats \
  pack_source loader
$(BUILD)/libviewcore.a: $(patsubst %,$(BUILD)/view/%.o,$(view_core))
$(BUILD)/tests/test_view_%: $(BUILD)/tests/test_view_%.o $(BUILD)/libviewcore.a $(libraries_made) $(BUILD)/flags
	$(link)
$(BUILD)/tests/test_gl_%.o: tests/test_gl_%.c $(BUILD)/flags | $(glad_header)
	@mkdir -p $(@D)
	$(compile) -isystem $(BUILD)/generated/glad/include $<
$(BUILD)/tests/test_gl_%: $(BUILD)/tests/test_gl_%.o $(BUILD)/libview.a $(libraries_made) $(BUILD)/flags
	$(link) $(view_libraries)
$(BUILD)/terrane-view: $(BUILD)/view/main.o $(BUILD)/libview.a $(BUILD)/libformats.a $(BUILD)/libcommon.a $(BUILD)/flags
	$(link) $(view_libraries)
