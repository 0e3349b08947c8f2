// SPDX-License-Identifier: MIT
// All kernels, once per vector width: compiled with -DKERNELS=kernels_avx2 and so on (see the Makefile).
#include "bake/planet/kernels.h"

#include "bake/planet/kernels_belts.h"
#include "bake/planet/kernels_cellular.h"
#include "bake/planet/kernels_common.h"
#include "bake/planet/kernels_craters.h"
#include "bake/planet/kernels_direction.h"
#include "bake/planet/kernels_erode.h"
#include "bake/planet/kernels_field.h"
#include "bake/planet/kernels_fractal.h"
#include "bake/planet/kernels_gain.h"
#include "bake/planet/kernels_mask.h"
#include "bake/planet/kernels_mesh.h"
#include "bake/planet/kernels_power.h"
#include "bake/planet/kernels_spline.h"
#include "bake/planet/kernels_table.h"

const struct kernels KERNELS = {
    .name = KERNELS_NAME,
    .fill = fill,
    .is_filled = is_filled,
    .clamps_to = clamps_to,
    .affine = affine,
    .add = add,
    .subtract = subtract,
    .multiply = multiply,
    .divide = divide,
    .minimum = minimum,
    .maximum = maximum,
    .absolute = absolute,
    .square_root = square_root,
    .clamp = clamp,
    .smoothstep = smoothstep,
    .mix = mix,
    .exponential = exponential,
    .power = power,
    .sine = sine,
    .cosine = cosine,
    .curve = evaluate_curve,
    .above = above,
    .above_by_value = above_by_value,
    .steepness = steepness,
    .fractal = fractal_sum,
    .fractal_gain = fractal_gain,
    .cellular = cellular_noise,
    .craters = sum_craters,
    .warp = warp,
    .plates = plate_fields,
    .ramp = color_ramp,
    .ramp_by_value = color_ramp_by_value,
    .color_mix = color_mix,
    .color_scale = color_scale,
    .lattice_places = find_lattice_places,
    .spline = spline,
    .spline_curvature = spline_curvature,
    .normalise = normalise,
    .scaled = scaled,
    .clamped = clamped,
    .tangential = tangential,
    .mesh = mesh_values_double,
    .mesh_float = mesh_values_float,
    .mesh_narrow = mesh_narrow,
    .mesh_refine = mesh_refine,
    .erode = erode,
};
