// SPDX-License-Identifier: MIT
// Smooth fields looked up on a lattice: what `coarse` and the guide of `erode` are.
//
// The nodes of a lattice are the points of a cubic grid through space, pitch apart, along the planet's axes. Each has
// the value that the field has in its direction, with the detail that the pitch can carry. A place is interpolated
// from the 6x6x6 nodes around it by cubic B-splines whose coefficients are corrected by a second difference along each
// axis (a quasi-interpolant that reproduces cubic polynomials; de Boor and Fix 1973): the result is C2, and a wave
// keeps 0.70, 0.88, 0.99 and 0.9993 of its height where its length is 3, 4, 8 and 16 pitches.
//
// A lattice in space knows no face of the cube, no edge and no corner: a value is a pure function of the place, the
// pitch and the field. It pays where samples are much closer than nodes. Nodes are evaluated in bricks of 4x4x4, which
// a thread keeps in its scratch from tile to tile; what is kept never changes a result, only how long it takes.
//
// Where samples are no closer than a sixteenth of the pitch, coarse evaluates the field at the samples themselves, with
// the detail that the larger of spacing and pitch can carry. The guide of erode, of which second derivatives are
// needed, instead takes a lattice of twice the pitch, four times, and so on.
#ifndef TERRANE_BAKE_PLANET_LATTICE_H
#define TERRANE_BAKE_PLANET_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/planet/program.h"

// Fields of one lattice; more make another lattice.
#define LATTICE_FIELDS_MAX 16
// Nodes along the side of a brick, and bricks that a thread keeps of each lattice (a power of two).
#define BRICK_SIDE 4
#define BRICK_NODES (BRICK_SIDE * BRICK_SIDE * BRICK_SIDE)
#define LATTICE_BRICKS 512
// The least number of samples between two nodes, and of those that coarse is looked up for.
#define LATTICE_SAMPLES_MIN 4
#define COARSE_SAMPLES_MIN 16
// Lattices of one planet.
#define LATTICES_MAX 32

// Fields that are looked up together: of one pitch and kind, and none is needed to evaluate another.
struct lattice {
    double pitch; // in radii
    bool is_guide;
    int stage; // see graph_stages
    bool for_height;
    int field_count;
    uint32_t field[LATTICE_FIELDS_MAX]; // values of the graph
    struct program values;              // all fields, without gradients: what nodes are evaluated with
    struct program gradients;           // with gradients, for samples that are evaluated directly
};

// Scratch of one thread for one lattice.
struct lattice_scratch;

// Room for the lattices' scratch (count of them, in tables->lattices), and cutting it out of memory that is aligned to
// ARENA_ALIGNMENT. scratch[] receives a pointer for each lattice. Must be done anew whenever the planet changes.
size_t lattice_scratch_bytes(const struct tables *tables);
void lattice_scratch_begin(const struct tables *tables, void *memory, struct lattice_scratch **scratch);

// The same with memory of its own, for what is done once. lattice_memory_free also after a failure.
struct lattice_memory {
    struct program_memory program;
    struct lattice_scratch *scratch[LATTICES_MAX];
    void *memory;
};
enum status_code lattice_memory_new(struct lattice_memory *memory, const struct tables *tables, struct status *status);
void lattice_memory_free(struct lattice_memory *memory);

// A run that looks up: its tables, kernels and scratch, and the number of the run, which tells its block from others.
struct lattice_run {
    const struct tables *tables;
    const struct kernels *kernels;
    struct program_memory *memory;
    uint64_t number;        // differs from every other run on the same scratch; not 0
    double spacing;         // that detail is for, in radians
    double apart;           // between neighbouring samples, in radians, at least spacing
    const double *position; // x, y and z lanes of PLANET_BLOCK
};

// out = the coarse field of an entry (table_of of its value), with its gradient where out has one.
void lattice_coarse(const struct lattice_run *run, uint32_t entry, struct field out);

// The gradient of a guide by the position, guide[i], and with hessian not NULL hessian[3 * i + k] = its derivative by
// position k (symmetric, but given in full). Lanes of PLANET_BLOCK.
void lattice_guide(const struct lattice_run *run, uint32_t entry, double *const guide[3], double *const hessian[9]);

// How much each field bends, seen at some hundred places: the largest fourth difference of five points that are a pitch
// apart, which is the jump of the spline's third derivative, in cubed pitches. Not a number where a field is.
enum status_code lattice_bends(double bends[LATTICE_FIELDS_MAX], const struct lattice *lattice,
                               const struct tables *tables, const struct kernels *kernels,
                               struct program_memory *memory, struct status *status);

// ---- Building ------------------------------------------------------------------------------------------

// How many quantiles, climates and lattices, one inside the other, each value stands on: those of one stage can be
// prepared when all of lower stages are.
void graph_stages(const struct graph *graph, int *stages);

// lattice_build.c: finds the lattices of the values that are needed and notes them in tables->table_of; programs are
// compiled too. for_height[i] says whether the height needs value i.
enum status_code lattices_build(struct tables *tables, const struct graph *graph, const bool *needed,
                                const bool *for_height, const int *stages, struct status *status);
void lattices_free(struct tables *tables);

static inline uint32_t lattice_entry(uint32_t lattice, uint32_t field)
{
    return lattice * LATTICE_FIELDS_MAX + field;
}

#endif
