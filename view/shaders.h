// SPDX-License-Identifier: MIT
// The shaders of view/shaders/, compiled into the program by scripts/embed-shaders. Fragments without a #version:
// gl_program.c puts the version and the shared parts in front.
#ifndef TERRANE_VIEW_SHADERS_H
#define TERRANE_VIEW_SHADERS_H

extern const char shader_projection_glsl[], shader_depth_glsl[];
extern const char shader_atmosphere_glsl[];
extern const char shader_terrain_vert[], shader_terrain_frag[];
extern const char shader_sky_vert[], shader_sky_frag[];
extern const char shader_overlay_vert[], shader_overlay_frag[];

#endif
