// SPDX-License-Identifier: MIT
// The inner loops of the planet engine: functions over whole blocks of PLANET_BLOCK samples, structure of arrays.
//
// A field is a value with its gradient (forward-mode dual numbers): v, and gx,gy,gz = the derivative by the position on
// the unit sphere (three dimensions; the part along the direction is taken out at the very end). Where gx is NULL the
// gradient is not wanted and must be neither read nor written (then gy and gz are NULL too). If out has a gradient,
// every input field must have one. out may be one of the inputs.
//
// One source, kernels_template.c, is compiled once per vector width; kernels_choose picks the widest that the
// processor has. All give the same bits: plain C, no contraction, no reordering, no reductions across samples.
// Pure functions; threads share the tables. Pointers are aligned to 64 bytes. A sample's result does not depend on the
// others in its block, nor its value on whether a gradient is wanted. Infinities and what is not a number go through as
// in C, but where a function is flat (clamp, smoothstep, square_root) its gradient is 0 whatever a's gradient is, and a
// ramp always gives one of its colours or a mean of them.
//
// What has no weight leaves no trace, so that it need not be computed (guards.h): a product, in values, gradients and
// colours, is +0 where one of its factors is 0, also if the other is infinite or not a number; a mix whose t is 0, or
// 1, with gradient 0 depends on one of its fields alone.
//
// A fractal takes about half the time where the block lies in one cell of most of its octaves, so blocks should be
// compact patches of the sphere, not long rows.
#ifndef TERRANE_BAKE_PLANET_KERNELS_H
#define TERRANE_BAKE_PLANET_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bake/planet/planet.h"

struct field {
    double *v;
    double *gx, *gy, *gz;
};

// Positions where noise is looked up. x,y,z always; jacobian[3*i + k] = d(component i)/d(position k), or all NULL where
// the points are the unwarped positions on the unit sphere (identity), or where no gradient is wanted.
struct points {
    double *x, *y, *z;
    double *jacobian[9];
};

enum fractal_kind {
    FRACTAL_FBM,    // sum of gain^k n_k
    FRACTAL_BILLOW, // sum of gain^k (2 |n_k| - c), mean 0
    FRACTAL_RIDGED, // Musgrave's ridged multifractal: sum of gain^k r_k w_k, with r_k = max(0, 1 - |1.15 n_k|)^2 and
                    // octave weight w_k = 0.45 + 0.55 p, p the running mean of the ridges before (p = (p + r_k) / 2,
                    // at first 1); 0 .. sum of gain^k
};

// The positions of a block as fractals see them, turned into their lattices (octave.h). Whoever evaluates several
// fractals at the same x, y and z gives them the same memory, which holds nothing while ready is 0; the rest belongs to
// the kernels.
#define FRACTAL_TURNS 4
struct turned {
    double at[3][PLANET_BLOCK]; // in the order of struct doubles (kernels_lanes.h)
    double low[3], high[3];     // of each row
};
struct turned_block {
    unsigned ready;
    bool near;                       // all coordinates are within +-PLACES_NEAR
    double ordered[3][PLANET_BLOCK]; // the positions in the order of struct doubles
    struct turned turned[FRACTAL_TURNS];
};

// n_k is gradient noise (Perlin 2002: quintic fade, 3-D) at frequency * lacunarity^k, the domain turned between octaves
// in a cycle of four and shifted by the seed so that lattices do not line up, its own seed an octave; its standard
// deviation is about 0.26, its range about +-1.15 (one value in 10^7 lies beyond, none beyond 2.025), its gradient
// 0.67 * frequency rms an axis. It is C2; |n| is softened to sqrt(n^2 + e^2) - e, e = 0.05, so that billow and ridges
// are C1.
//
// The band limit gives octave k the weight clamp((f_max - f_k) / (0.5 f_k), 0, 1) and stops at the first zero. Ridges,
// whose mean is not 0, are replaced by their mean as their weight falls, so that mountains do not sink with distance.
//
// Precision: the place in the lattice is formed in double, where 53 bits leave 10^-9 of a cell even for 1 m cells on
// Earth. Octaves up to 8 cells a radius, which carry the large amplitudes, then go on in double; the others in float
// with a place to 2^-25 of a cell: an error below 3e-7 of the octave's own amplitude, 0.2 mm where that is 600 m. Where
// f_max is at most 4e5, samples at least 1.25e-6 radii (8 m on Earth) apart, all go on in float, which is twice as
// quick: the millimetres that this costs the largest octaves are lost in the detail that such a spacing leaves out.
// Beyond 2^50 cells from the middle a float octave stays as it is there.
struct fractal {
    enum fractal_kind kind;
    double frequency; // lattice cells per planet radius, of the first octave; > 0
    int octaves;      // 1..32
    double gain;
    double lacunarity; // > 1
    uint64_t seed;
    double f_max; // cells per planet radius
    bool precise; // all octaves go on in double
    int done;     // of FRACTAL_FBM: so many octaves are in out already, and the others are added to them; else 0
    struct turned_block *block; // of the points that it is evaluated at, or NULL
};

#define FRACTAL_GAIN_MAX 2.0
enum crater_output {
    CRATER_HEIGHT, // metres
    CRATER_RAYS,   // 0..1, how bright young craters have made the ground; without gradient
};

// A field of impact craters (crater.h). Each has a profile (Pike 1977 for its depth and rim), erases most of the older
// craters of its size and smaller that it falls on, and is left out of what the spacing cannot carry with the weight
// smoothstep(2.2, 5, diameter / spacing). Lengths in planet radii. Always at the places on the sphere themselves.
//
// Precision: a place relative to a crater's centre is formed in double. Craters of 1/32 radius and more go on in
// double, others in float: an error of 2^-24 of the distance to the centre, 2 mm for the largest of them on the Moon.
struct craters {
    enum crater_output output;
    double largest, smallest; // diameters; 0 < largest <= 1
    double density;           // 1: N(>D) = 0.22 D^-2 for a unit of area; 0..1.25
    double depth;             // times Pike's depth and rim
    double transition;        // diameter from which craters have a flat floor and a central peak; > 0
    double age;               // wear is spread evenly from 0 to this; 0..1
    double radius_m;          // metres that a radius stands for
    uint64_t seed;
    double f_max;
    struct crater_shelf *shelf; // of this field and this thread (crater_shelf.h), or NULL; never changes a result
};

enum cellular_kind {
    CELLULAR_DISTANCE, // to the nearest point, in cells, at most 1
    CELLULAR_EDGE,     // distance to the second nearest, at most 1, less that to the nearest
    CELLULAR_VALUE,    // -1..1, the same all over a cell; its gradient is 0
};

// Cellular noise (Worley 1996): space is divided into cells, each with a point, and a place belongs to the nearest. A
// distance over 1 counts as 1: so all that matters lies in the 27 cells around. Continuous but for CELLULAR_VALUE;
// creases where two points are equally near. As the band limit takes it away it is replaced by its mean.
struct cellular {
    enum cellular_kind kind;
    double frequency; // cells per planet radius; > 0
    double jitter;    // 0 a cubic lattice, 1 anywhere in its cell
    uint64_t seed;
    double f_max;
};

#define CURVE_KNOTS_MAX 64
// Monotone cubic through knots (Fritsch and Carlson 1980), C1; beyond the ends it goes on straight.
struct curve {
    int count; // 2..CURVE_KNOTS_MAX
    double x[CURVE_KNOTS_MAX], y[CURVE_KNOTS_MAX];
    // Filled in by curve_prepare. The last two by how many knots are at or below x, of the cubic from the last of them.
    double slope[CURVE_KNOTS_MAX], quadratic[CURVE_KNOTS_MAX + 1], cubic[CURVE_KNOTS_MAX + 1];
};
// count, x and y are given; x must grow strictly.
void curve_prepare(struct curve *curve);

// Piecewise linear colours in linear light, constant beyond the ends; equal neighbouring x make a jump. Averaged over
// the footprint of a sample, so that jumps and thin bands do not alias.
struct ramp {
    int count; // 1..CURVE_KNOTS_MAX
    double x[CURVE_KNOTS_MAX], red[CURVE_KNOTS_MAX], green[CURVE_KNOTS_MAX], blue[CURVE_KNOTS_MAX];
    // Filled in by ramp_prepare: 1 / (distance of the knots) by how many knots are at or below x, 0 outside.
    double density[CURVE_KNOTS_MAX + 1];
};
// count, x and the colours are given; x must not fall.
void ramp_prepare(struct ramp *ramp);

// Where samples lie in a lattice (lattice.h). From the position, by lattice_places: the low corner of the cell, counted
// in cells, and how far from it, 0..1. The caller fills in which of its coefficients are the cell's.
struct lattice_places {
    int32_t low[3][PLANET_BLOCK];
    double at[3][PLANET_BLOCK];
    int cell[PLANET_BLOCK];
};

// Where a block's samples lie in a mesh (mesh.h) of nodes that are step samples apart, step 2, 4, 8 or 16. The nodes of
// a column follow each other, and the first node of all lies MESH_MARGIN nodes before sample (0, 0) both ways.
//
// Samples go in groups of MESH_GROUP. In a run of groups each is one piece of a column, from row on, a multiple of
// MESH_GROUP, downward; the next column is its neighbour, on the same side for the whole run. Groups that are in no run
// are samples of any kind.
#define MESH_STEP_MAX 16
#define MESH_MARGIN 2
#define MESH_GROUP 8
struct mesh_run {
    int first, count; // groups
    bool whole;       // else a group of samples of any kind
};
struct mesh_places {
    int step, side; // side: nodes in a column
    uint16_t columns[PLANET_BLOCK], rows[PLANET_BLOCK];
    int run_count;
    struct mesh_run runs[PLANET_BLOCK / MESH_GROUP];
};

// Gullies along the slope; see kernels_erode.h.
struct erosion {
    double wavelength; // radians
    int octaves;       // 1..EROSION_OCTAVES_MAX
    uint64_t seed;
    double radius_m;
    double spacing; // radians
};
#define EROSION_OCTAVES_MAX 24
// Samples a wave below which gullies are gone.
#define EROSION_SAMPLES_NONE 2.2
// Whether any gullies are seen at samples that are this far apart, in radians.
bool erosion_shows(const struct erosion *erosion, double spacing);

#define PLATES_MAX 64
enum plate_part {
    PLATE_BIAS,     // each plate's own number, -1 .. 1, with soft passages
    PLATE_TRENCH,   // from here on belts, 0 .. about 1: at the foot of the plate that rides over
    PLATE_ARC,      // behind it
    PLATE_OROGEN,   // the narrow mountain belt
    PLATE_HIGHLAND, // the broad one
    PLATE_SIDE,     // 1 .. -0.7: the plate that rides over is pushed up, the other down
    PLATE_RIDGE,    // where two plates part
    PLATE_AGE,      // radians from where plates part, 0 .. 0.75
};
#define PLATE_PARTS (PLATE_AGE + 1)

// See kernels_plates.h and kernels_belts.h; plates_prepare fills it in.
struct plates {
    int count;    // 2..PLATES_MAX
    double width; // of the belts, 1 as on Earth
    double center[PLATES_MAX][3], spin[PLATES_MAX][3];
    double bias[PLATES_MAX];
    double rank[PLATES_MAX]; // of two plates the one of higher rank rides over the other
};

struct kernels {
    const char *name;                                   // "base", "avx2", "avx512"
    void (*fill)(struct field out, double value);       // gradient zero
    bool (*is_filled)(const double *row, double value); // all are equal to the value
    // All are 1 once clamped to [0,1], or all 0, as color_mix clamps. Both are quick where the first ones are not so.
    bool (*clamps_to)(const double *row, bool one);
    void (*affine)(struct field out, struct field a, double scale, double offset); // scale a + offset
    void (*add)(struct field out, struct field a, struct field b);
    void (*subtract)(struct field out, struct field a, struct field b);
    void (*multiply)(struct field out, struct field a, struct field b); // nothing times anything is nothing: see above
    void (*divide)(struct field out, struct field a, struct field b);
    void (*minimum)(struct field out, struct field a, struct field b); // gradient of the one taken, a where equal
    void (*maximum)(struct field out, struct field a, struct field b);
    void (*absolute)(struct field out, struct field a);
    void (*square_root)(struct field out, struct field a);                         // 0 with gradient 0 where a <= 0
    void (*clamp)(struct field out, struct field a, double low, double high);      // gradient 0 outside
    void (*smoothstep)(struct field out, struct field a, double low, double high); // cubic; low < high or high < low
    // a + t (b - a), and exactly a where t is 0, b where it is 1. So for the gradient: that of the one taken, and
    // (b - a) times t's gradient unless that is 0.
    void (*mix)(struct field out, struct field a, struct field b, struct field t);
    void (*exponential)(struct field out, struct field a); // stable_exp to the bit
    // stable_pow to the bit, exponent > 0; gradient 0 where a <= 0 and where e^700 is reached.
    void (*power)(struct field out, struct field a, double exponent);
    // Of degrees, stable_sincos_deg to the bit; within +-1e9, beyond which they stay as they are there. Not a number
    // for infinities.
    void (*sine)(struct field out, struct field a);
    void (*cosine)(struct field out, struct field a);
    void (*curve)(struct field out, struct field a, const struct curve *curve);
    // Share of the footprint where a >= at: clamp(0.5 + (a - at) / width, 0, 1) with width = max(width_min, |tangential
    // gradient of a| * spacing, this at most width_most), spacing in radians. out has no gradient, a must have one. For
    // colour and masks. With width 0 it is a step.
    void (*above)(struct field out, struct field a, const double *x, const double *y, const double *z, double at,
                  double width_min, double spacing, double width_most);
    // The same from values alone; false, and no values, where it cannot be said.
    bool (*above_by_value)(struct field out, const double *a, double at, double width_min, double width_most);
    // Length of the tangential gradient. out has no gradient, a must have one.
    void (*steepness)(struct field out, struct field a, const double *x, const double *y, const double *z);
    // out must not be one of at's arrays.
    void (*fractal)(struct field out, const struct points *at, const struct fractal *fractal);
    // The same with a gain for each sample, clamped to 0..FRACTAL_GAIN_MAX, in the place of the fractal's; gain^0 is 1.
    // Its gradient is part of out's: by the position, whatever Jacobian the points have. out must not be one of gain's
    // arrays either. With the same gain everywhere it is the fractal but for rounding.
    void (*fractal_gain)(struct field out, const struct points *at, struct field gain, const struct fractal *fractal);
    // out must not be one of at's arrays.
    void (*cellular)(struct field out, const struct points *at, const struct cellular *cellular);
    // At unit vectors. out must not be one of the positions; it has a gradient only where it is a height.
    void (*craters)(struct field out, const double *x, const double *y, const double *z, const struct craters *craters);
    // out = at + amount * (wx, wy, wz), with Jacobian where out has one. out may be at.
    void (*warp)(struct points *out, const struct points *at, double amount, struct field wx, struct field wy,
                 struct field wz);
    // Those parts whose v is not NULL; all or none of them with gradient. The points are put on the unit sphere first.
    // Everything is C1 but for jumps of 2e-8. out must be none of at's arrays.
    void (*plates)(const struct field out[PLATE_PARTS], const struct points *at, const struct plates *plates);
    // out[0..2] = colour of a, averaged over its footprint where a has a gradient (else taken at the point): from half
    // of |tangential gradient of a| * spacing, this at most width_most, below to half of it above.
    void (*ramp)(double *const out[3], struct field a, const double *x, const double *y, const double *z,
                 const struct ramp *ramp, double spacing, double width_most);
    // The same from values alone; false, and no colours, where a footprint may touch a knot.
    bool (*ramp_by_value)(double *const out[3], const double *a, const struct ramp *ramp, double width_most);
    // t clamped to [0,1], 0 where it is not a number; exactly a where that is 0, b where it is 1.
    void (*color_mix)(double *const out[3], double *const a[3], double *const b[3], const double *t);
    void (*color_scale)(double *const out[3], double *const a[3], const double *factor);
    // All of places but cell, for cells of 1 / scale; positions times scale must be below 2^31 in size.
    void (*lattice_places)(struct lattice_places *places, const double *x, const double *y, const double *z,
                           double scale);
    // Cubic B-splines: 4x4x4 coefficients for each cell, x fastest; scale is 1 / (distance of nodes). out: value, and
    // its gradient unless out[1] is NULL.
    void (*spline)(double *const out[4], const struct lattice_places *places, const double *coefficients, double scale);
    // The gradient, and unless hessian is NULL its nine derivatives, hessian[3 * i + k] = d gradient[i] / d position k.
    void (*spline_curvature)(double *const gradient[3], double *const hessian[9], const struct lattice_places *places,
                             const double *coefficients, double scale);
    // Points to unit directions, count of them (any number, need not be aligned): the bits of cube_sphere_lattice_dir.
    void (*normalise)(int count, double *x, double *y, double *z);
    // out = scale * a, and a clamped to [0,1] (0 where it is not a number); count numbers, which need not be aligned.
    void (*scaled)(double *out, const double *a, double scale, int count);
    void (*clamped)(double *out, const double *a, int count);
    // out = scale times the gradient without its part along the direction; count samples, out need not be aligned.
    void (*tangential)(double *const out[3], struct field a, const double *x, const double *y, const double *z,
                       double scale, int count);
    // out = what the nodes are at the block's samples: the cubic through four nodes along the columns, then along the
    // rows; on a node's row or column only nodes of that row or column count. The same bits if rows or columns are
    // counted the other way round. Nodes and out need no alignment.
    void (*mesh)(double *out, const double *nodes, const struct mesh_places *places);
    void (*mesh_float)(double *out, const float *nodes, const struct mesh_places *places);
    void (*mesh_narrow)(float *narrow, const double *nodes, int count); // the same as floats
    // A mesh of half the step (side nodes a column become 2 side - 5) by the same cubic; between has room for
    // side * (2 side - 5) numbers.
    void (*mesh_refine)(double *fine, const double *coarse, int side, double *between);
    // out = metres of gullies for a guide in metres with this gradient and, where out has a gradient, hessian (both by
    // the position). at: unit directions.
    void (*erode)(struct field out, const struct points *at, double *const guide[3], double *const hessian[9],
                  const struct erosion *erosion);
};

extern const struct kernels kernels_base;
#if defined(__x86_64__)
extern const struct kernels kernels_avx2, kernels_avx512;
#endif

// The widest variant that this processor runs.
const struct kernels *kernels_choose(void);
// By name, or NULL where it was not compiled or the processor lacks it; tests force each.
const struct kernels *kernels_named(const char *name);

#endif
