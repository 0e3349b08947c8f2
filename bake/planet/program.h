// SPDX-License-Identifier: MIT
// A graph made ready to run over blocks of samples: the steps that the wanted outputs need, in order, each with its
// lanes. A lane is one double for each sample of a block (PLANET_BLOCK); a field takes one, and three more where its
// gradient is needed; lanes are used again as soon as their value is not needed any more, so that scratch stays small.
#ifndef TERRANE_BAKE_PLANET_PROGRAM_H
#define TERRANE_BAKE_PLANET_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bake/planet/graph.h"
#include "bake/planet/kernels.h"
#include "bake/planet/raster_shelf.h"
#include "common/status.h"

#define LANES_MAX 4096 // 4 MiB of scratch; real planets need 20 to 60
#define LANE_NONE UINT16_MAX
#define STEP_LANES_MAX (4 * PLATE_PARTS)
// The first lanes hold the positions of the samples.
#define POSITION_LANES 3

struct step {
    enum graph_op op;
    uint32_t input[GRAPH_INPUTS_MAX]; // steps before this one; STEP_POSITION for the position
    // Of a field: value and, where wanted, gradient by x, y, z. Of a colour: red, green, blue. Of points: x, y, z and,
    // where wanted, the nine derivatives. Of a bundle: four for each part, as of a field; none for parts that no one
    // takes.
    uint16_t lane[STEP_LANES_MAX];
    uint32_t at;         // where in the planet file its value was first asked for
    uint32_t table;      // index among the tables of its kind
    uint32_t value;      // of the graph
    uint32_t mesh;       // field of a mesh (mesh.h), or MESH_NONE, as the tables have it
    double parameter[3]; // the first ones of its graph value
    bool outlives_guard; // read after the end of the shared guard that it stands in
    bool by_value;       // in a lean program: a ramp or `above` whose input has no gradient though it could
    // A lazy step (guards_shared.h) has a number, others LAZY_NONE; it is run when the first step that needs it is to
    // be run. By input, if that is a lazy step, the site that says where it is needed, else SITE_NONE.
    uint8_t lazy;
    uint32_t site[GRAPH_INPUTS_MAX];
};
#define LAZY_MAX 64
#define LAZY_NONE UINT8_MAX
#define SITE_NONE UINT32_MAX
#define STEP_POSITION (UINT32_MAX - 1)

#define MESH_NONE UINT32_MAX
#define MESH_FIELDS_MAX 64

// What becomes of a field of a mesh: see mesh_budget.h.
struct mesh_use {
    double rise; // of the height with it
    double bend; // of `coarse`: see lattice_bends
    double unit; // that meshes keep its gradient in: a power of two, other than 1 for what is far too large or small
    bool for_color;
};

// What steps look up: shared by all programs of a planet. A quantile's curve is one of curves; it and a
// climate are filled in by prepare.h.
struct tables {
    struct curve *curves;
    struct ramp *ramps;
    struct fractal *fractals; // f_max is left to the run, also of cellulars and craters
    struct plates *plates;
    struct climate *climates;
    struct cellular *cellulars;
    struct craters *craters;
    struct raster_shelf *rasters;
    struct erosion *erosions;
    uint32_t *erosion_guide; // of each erosion the entry of its guide (lattice.h)
    struct lattice *lattices;
    struct mesh_use mesh_uses[MESH_FIELDS_MAX]; // of the planet's own programs (mesh_budget.h)
    uint32_t mesh_count;
    // For each value of the graph. Programs copy what they need of the first two.
    uint32_t *table_of; // the index of its table
    uint32_t *mesh_of;  // its field of a mesh: MESH_NONE until mesh_budget.h settles it
    double *steepest;   // see steepest.h; infinite until mesh_budget.h has it found
    uint32_t curve_count, ramp_count, fractal_count, plates_count, climate_count, erosion_count, lattice_count;
    uint32_t cellular_count, crater_count;
};

#define PROGRAM_OUTPUTS_MAX 16

struct program_output {
    uint32_t value; // of the graph
    bool gradient;  // wanted with it
    uint32_t step;  // set by program_compile
};

// When a mask lets what it guards be skipped: all samples of the block are so.
enum guard_test {
    GUARD_ZERO,         // value and, where looked at, gradient 0
    GUARD_ONE,          // value 1 and, where looked at, gradient 0
    GUARD_CLAMPED_ZERO, // 0 when clamped to [0,1], as color_mix does
    GUARD_CLAMPED_ONE,
};

// Stands before step first, in their order; of those before the same step the first reaches furthest. If the mask
// passes the test, steps first to end - 1 are not run; the last of them is an operand of a product, which is step end
// and then is 0 itself, or of a mix, for which the operand's lanes are set to 0. What is made of them is the same to
// the bit: see guards.h.
struct guard {
    uint32_t first, end;
    uint32_t mask; // a step before first
    enum guard_test test;
    bool gradient; // whether the mask's gradient is looked at
};

#define SHARED_MASKS_MAX 3
// What a step is needed for is nothing where all these steps are 0 with gradient 0.
struct shared_masks {
    bool needed; // everywhere; then there are no masks
    int count;
    uint32_t mask[SHARED_MASKS_MAX];
};

// Stands before step first; no two overlap. Where the masks, which come before it, are 0, steps first to end - 1 are
// not run: whoever reads them is needed for nothing either, or a product with one of the masks. Those that are read
// after that are set to 0. See guards_shared.h.
struct shared_guard {
    uint32_t first, end;
    struct shared_masks masks;
};

struct program {
    struct step *steps;
    uint32_t step_count;
    struct guard *guards;
    uint32_t guard_count;
    struct shared_guard *shared;
    uint32_t shared_count;
    struct shared_masks *sites;
    uint32_t site_count;
    uint32_t lane_count;
    bool lean;
    int output_count;
    struct program_output output[PROGRAM_OUTPUTS_MAX];
};

// tables.c: the seed of a noise: each bake's seed, call's number and component of a warp has a stream of its own.
uint64_t noise_seed(uint64_t seed, uint64_t number, uint64_t component);

// tables.c: curves, ramps, fractals and plates of the graph's values; seed is the bake's. tables_free also after a
// failure.
enum status_code tables_build(struct tables *tables, const struct graph *graph, struct raster_shelf *rasters,
                              uint64_t seed, struct status *status);
void tables_free(struct tables *tables);

// What is computed: count outputs, 1 to PROGRAM_OUTPUTS_MAX. STATUS_INPUT where more than LANES_MAX lanes would be
// needed.
enum status_code program_compile(struct program *program, const struct graph *graph, const struct tables *tables,
                                 const struct program_output *outputs, int count, struct status *status);
void program_free(struct program *program);

// The same without the gradients that only ramps and `above` need: they are not needed where a footprint, which is no
// wider than tables->steepest makes it, lies all on one piece of the ramp or on one side. Where one may not, the
// program does not say what the outputs are (program_run), and the whole one does: the same to the bit. Not for what
// tables->steepest does not know.
enum status_code program_compile_lean(struct program *program, const struct graph *graph, const struct tables *tables,
                                      const struct program_output *outputs, int count, struct status *status);

// How many inputs the op's step reads: none where they were looked at before (coarse, erode and climate).
int program_input_count(enum graph_op op);

// What a run needs besides the program. lanes: the program's lane_count * PLANET_BLOCK doubles, aligned to 64 bytes;
// the first POSITION_LANES of them hold unit directions in all PLANET_BLOCK places. spacing: that detail is for, and
// apart: between neighbouring samples, both in radians, apart >= spacing; they differ in planet_sample_scattered
// and where a planet is looked at before it is baked. There gullies with gradient are left out.
struct program_memory {
    struct lattice_scratch **lattices; // scratch of each of the tables' lattices
    struct mesh *mesh;                 // of the tile that is sampled, or NULL; for its programs only
    struct turned_block *block;        // positions of run number block_run as fractals see them, or NULL
    uint64_t block_run;
    struct crater_shelf *shelves; // of the first shelf_count fields of craters
    uint32_t shelf_count;
    uint64_t run_count;  // runs on these lattices so far
    uint64_t step_count; // steps of these runs; those that were skipped do not count
};

// run.c: evaluates one block. A sample's result does not depend on the others in its block, though what is skipped
// does. False, and no outputs, where a lean program needs gradients; never of others.
bool program_run(const struct program *program, const struct tables *tables, const struct kernels *kernels,
                 struct program_memory *memory, double *lanes, double spacing, double apart);

// The same of one step, whatever guards say: who runs all of them in order sees what each gives before its lanes are
// used again.
void program_run_step(const struct program *program, const struct tables *tables, const struct kernels *kernels,
                      struct program_memory *memory, double *lanes, double spacing, double apart, uint32_t index);

// The lane of an output's value.
static inline const double *program_result(const struct program *program, int output, const double *lanes)
{
    return lanes + (size_t)program->steps[program->output[output].step].lane[0] * PLANET_BLOCK;
}

#endif
