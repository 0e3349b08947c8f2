// SPDX-License-Identifier: MIT
#include "common/tile_key.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "common/cube_sphere.h"

#define MORTON_BITS 48
#define MORTON_MASK ((UINT64_C(1) << MORTON_BITS) - 1)

bool node_valid(struct node node)
{
    return node.face >= 0 && node.face < CUBE_FACE_COUNT && node.level >= 0 && node.level <= TILE_LEVEL_MAX &&
           node.x < UINT32_C(1) << node.level && node.y < UINT32_C(1) << node.level;
}

static uint64_t spread_bits(uint64_t v)
{
    v &= 0xFFFFFF;
    v = (v | v << 16) & UINT64_C(0x0000FFFF0000FFFF);
    v = (v | v << 8) & UINT64_C(0x00FF00FF00FF00FF);
    v = (v | v << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    v = (v | v << 2) & UINT64_C(0x3333333333333333);
    v = (v | v << 1) & UINT64_C(0x5555555555555555);
    return v;
}

static uint32_t gather_bits(uint64_t v)
{
    v &= UINT64_C(0x5555555555555555);
    v = (v | v >> 1) & UINT64_C(0x3333333333333333);
    v = (v | v >> 2) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    v = (v | v >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    v = (v | v >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    v = (v | v >> 16) & UINT64_C(0x00000000FFFFFFFF);
    return (uint32_t)v;
}

uint64_t morton_encode(uint32_t x, uint32_t y)
{
    return spread_bits(x) | spread_bits(y) << 1;
}

void morton_decode(uint64_t code, uint32_t *x, uint32_t *y)
{
    *x = gather_bits(code);
    *y = gather_bits(code >> 1);
}

tile_key tile_key_of(struct node node)
{
    assert(node_valid(node));
    return (uint64_t)node.level << 51 | (uint64_t)node.face << 48 | morton_encode(node.x, node.y);
}

struct node tile_key_node(tile_key key)
{
    assert(tile_key_valid(key));
    struct node node = {.face = (int)(key >> 48 & 7), .level = (int)(key >> 51)};
    morton_decode(key & MORTON_MASK, &node.x, &node.y);
    return node;
}

bool tile_key_valid(tile_key key)
{
    uint64_t level = key >> 51, face = key >> 48 & 7;
    return level <= TILE_LEVEL_MAX && face < CUBE_FACE_COUNT && (key & MORTON_MASK) >> (2 * level) == 0;
}

struct node node_child(struct node node, int child)
{
    assert(child >= 0 && child < 4 && node.level < TILE_LEVEL_MAX);
    return (struct node){node.face, node.level + 1, node.x << 1 | (uint32_t)(child & 1),
                         node.y << 1 | (uint32_t)(child >> 1)};
}

struct node node_parent(struct node node)
{
    assert(node.level > 0);
    return (struct node){node.face, node.level - 1, node.x >> 1, node.y >> 1};
}

int node_child_index(struct node node)
{
    return (int)((node.x & 1) | (node.y & 1) << 1);
}

// The cube point just across the side's middle, in units of half a node from the face centre: on the
// face that the step leads to, half a node away from the shared edge.
static void step_across(struct node node, enum node_side side, int64_t across[3], int64_t along[3])
{
    int64_t m = INT64_C(1) << node.level;
    int64_t cs = 2 * (int64_t)node.x + 1 - m, ct = m - 1 - 2 * (int64_t)node.y;
    int64_t out = m;
    int64_t ds = side == SIDE_WEST ? -2 : side == SIDE_EAST ? 2 : 0;
    int64_t dt = side == SIDE_SOUTH ? -2 : side == SIDE_NORTH ? 2 : 0;
    cs += ds;
    ct += dt;
    if (cs > m || cs < -m) {
        cs = cs > 0 ? m : -m;
        out = m - 1;
    }
    if (ct > m || ct < -m) {
        ct = ct > 0 ? m : -m;
        out = m - 1;
    }
    const struct cube_face_frame *frame = &cube_face_frames[node.face];
    across[frame->out.axis] = frame->out.sign * out;
    across[frame->s.axis] = frame->s.sign * cs;
    across[frame->t.axis] = frame->t.sign * ct;
    // Along the border, in the direction in which its samples are counted on this side.
    along[0] = along[1] = along[2] = 0;
    if (side == SIDE_NORTH || side == SIDE_SOUTH)
        along[frame->s.axis] = frame->s.sign;
    else
        along[frame->t.axis] = -frame->t.sign;
}

struct node node_neighbour(struct node node, enum node_side side, enum node_side *back, bool *reversed)
{
    assert(node_valid(node));
    int64_t across[3] = {0}, along[3] = {0}, m = INT64_C(1) << node.level;
    step_across(node, side, across, along);
    struct node found = {.face = node.face, .level = node.level};
    for (int face = 0; face < CUBE_FACE_COUNT; face++) {
        const struct cube_axis out = cube_face_frames[face].out;
        if (across[out.axis] == out.sign * m)
            found.face = face;
    }
    const struct cube_face_frame *frame = &cube_face_frames[found.face];
    int64_t cs = frame->s.sign * across[frame->s.axis], ct = frame->t.sign * across[frame->t.axis];
    found.x = (uint32_t)((cs + m - 1) / 2);
    found.y = (uint32_t)((m - 1 - ct) / 2);

    enum node_side touching;
    if (found.face == node.face) {
        static const enum node_side opposite[NODE_SIDE_COUNT] = {SIDE_EAST, SIDE_WEST, SIDE_SOUTH, SIDE_NORTH};
        touching = opposite[side];
    } else {
        // The neighbour's side that faces this node's face: the axis pointing out of this face.
        const struct cube_axis home = cube_face_frames[node.face].out;
        if (home.axis == frame->s.axis)
            touching = home.sign == frame->s.sign ? SIDE_EAST : SIDE_WEST;
        else
            touching = home.sign == frame->t.sign ? SIDE_NORTH : SIDE_SOUTH;
    }
    if (back)
        *back = touching;
    if (reversed) {
        int64_t same = touching == SIDE_NORTH || touching == SIDE_SOUTH ? along[frame->s.axis] * frame->s.sign
                                                                        : -along[frame->t.axis] * frame->t.sign;
        *reversed = same < 0;
    }
    return found;
}

struct node node_at(int face, double s, double t, int level)
{
    assert(face >= 0 && face < CUBE_FACE_COUNT && level >= 0 && level <= TILE_LEVEL_MAX);
    double count = (double)(UINT32_C(1) << level);
    double x = floor(s * count), y = count - ceil(t * count);
    x = x > 0 ? x : 0;
    y = y > 0 ? y : 0;
    x = x < count - 1 ? x : count - 1;
    y = y < count - 1 ? y : count - 1;
    return (struct node){face, level, (uint32_t)x, (uint32_t)y};
}

int node_format(char text[NODE_TEXT_MAX], struct node node)
{
    return snprintf(text, NODE_TEXT_MAX, "%d/%d/%u/%u", node.face, node.level, (unsigned)node.x, (unsigned)node.y);
}

static bool parse_part(const char **text, uint32_t *value)
{
    const char *p = *text;
    if (*p < '0' || *p > '9' || (p[0] == '0' && p[1] >= '0' && p[1] <= '9'))
        return false;
    uint64_t v = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        v = v * 10 + (uint64_t)(*p - '0');
        if (v > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)v;
    *text = p;
    return true;
}

bool node_parse(const char *text, struct node *node)
{
    uint32_t part[4];
    for (int k = 0; k < 4; k++) {
        if (k > 0 && *text++ != '/')
            return false;
        if (!parse_part(&text, &part[k]))
            return false;
    }
    if (*text || part[0] >= CUBE_FACE_COUNT || part[1] > TILE_LEVEL_MAX)
        return false;
    *node = (struct node){(int)part[0], (int)part[1], part[2], part[3]};
    return node_valid(*node);
}
