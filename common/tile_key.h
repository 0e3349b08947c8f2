// SPDX-License-Identifier: MIT
// A node is a place in the six quadtrees: face, level, x, y. x counts along s; y counts downward,
// against t: node (x,y) of level L covers s in [x, x+1]/2^L and t in 1 - [y, y+1]/2^L.
//
// A tile_key packs a node in 64 bits so that comparing two keys as integers is the canonical order
// of everything in Terrane: level, then face, then Morton code (x in the even bits, y in the odd).
#ifndef TERRANE_COMMON_TILE_KEY_H
#define TERRANE_COMMON_TILE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TILE_LEVEL_MAX 24

struct node {
    int face;
    int level;
    uint32_t x, y;
};

typedef uint64_t tile_key; // level << 51 | face << 48 | Morton code (48 bits)

bool node_valid(struct node node);
tile_key tile_key_of(struct node node);
struct node tile_key_node(tile_key key);

// Whether key is the key of some node (keys read from files may be anything).
bool tile_key_valid(tile_key key);

// Interleaves: bit k of x to bit 2k, bit k of y to bit 2k + 1; both below 2^24.
uint64_t morton_encode(uint32_t x, uint32_t y);
void morton_decode(uint64_t code, uint32_t *x, uint32_t *y);

// Child 0..3: bit 0 is the low bit of x, bit 1 that of y. The parent of level 0 does not exist.
struct node node_child(struct node node, int child);
struct node node_parent(struct node node);
int node_child_index(struct node node);

enum node_side { SIDE_WEST, SIDE_EAST, SIDE_NORTH, SIDE_SOUTH }; // -s, +s, +t (y - 1), -t (y + 1)
#define NODE_SIDE_COUNT 4

// The node of the same level on the other side. On another face where the edge of the face is
// crossed; *back is then the side of the neighbour that touches, and *reversed tells whether the
// shared border runs the other way there (samples of a side are counted by growing column on north
// and south, by growing row on west and east). back and reversed may be NULL.
struct node node_neighbour(struct node node, enum node_side side, enum node_side *back, bool *reversed);

// The node of a level that holds (s,t) of a face. Exact for every double: x = floor(s 2^L), and
// y = 2^L - ceil(t 2^L), clamped to the face, so a point on a border belongs to the node with the
// larger x and the larger y, save at the face's own rim.
struct node node_at(int face, double s, double t, int level);

// "face/level/x/y", decimal. Parsing is strict: no signs, spaces, leading zeros or trailing text.
#define NODE_TEXT_MAX 32
int node_format(char text[NODE_TEXT_MAX], struct node node);
bool node_parse(const char *text, struct node *node);

#endif
