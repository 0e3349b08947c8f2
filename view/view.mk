# SPDX-License-Identifier: MIT
# The viewer's part of the Makefile: built where GLFW, EGL, glad and stb_easy_font are there, else passed over with
# one line, so that the baker builds on a machine without any of them.
GLAD_PYTHON ?= /usr/bin/python3
GLAD_EXTENSIONS := GL_ARB_clip_control,GL_KHR_debug
view_sources := $(filter-out view/main.c,$(wildcard view/*.c))
view_objects := $(call objects,$(view_sources)) $(BUILD)/generated/shaders.o $(BUILD)/generated/glad/gl.o
view_libraries := -lglfw -lEGL -lpthread
view_missing := $(shell pkg-config --exists glfw3 egl || echo libglfw3-dev libegl-dev; \
  test -e /usr/include/stb/stb_easy_font.h || echo libstb-dev; $(GLAD_PYTHON) -c 'import glad' 2>/dev/null || echo python3-glad)

ifeq ($(strip $(view_missing)),)
view: $(BUILD)/terrane-view
else
view:
	@echo 'terrane-view is not built: $(strip $(view_missing)) missing (scripts/deps installs them)'
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
$(BUILD)/view/%.o: view/%.c $(BUILD)/flags | $(glad_header)
	@mkdir -p $(@D)
	$(compile) -isystem $(BUILD)/generated/glad/include $<
$(BUILD)/libview.a: $(view_objects)
$(BUILD)/terrane-view: $(BUILD)/view/main.o $(BUILD)/libview.a $(BUILD)/libformats.a $(BUILD)/libcommon.a $(BUILD)/flags
	$(link) $(view_libraries)
