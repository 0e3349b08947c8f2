// SPDX-License-Identifier: MIT
// JSON (RFC 8259) written to a stream, without blanks, in the order of the calls.
//
//   struct json_out json = json_begin(stdout);
//   json_open_object(&json, NULL);
//   json_u64(&json, "tiles", 6);
//   json_open_array(&json, "layers");
//   json_text(&json, NULL, "height");
//   json_end(&json);
//   json_end(&json);        {"tiles":6,"layers":["height"]}
//
// Members of an object take a key, those of an array and the outermost value take NULL. Keys are the
// program's own plain words; texts may be any bytes. Nothing here fails: the stream remembers its
// errors, and who owns it asks for them at the end. No name here is one of jansson's, which the program is
// linked with as well.
#ifndef TERRANE_BAKE_JSON_OUT_H
#define TERRANE_BAKE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH_MAX 16

struct json_out {
    FILE *file;
    int depth;                    // open objects and arrays
    bool filled[JSON_DEPTH_MAX];  // whether the one at this depth has a member
    char closing[JSON_DEPTH_MAX]; // '}' or ']'
};

struct json_out json_begin(FILE *file);
void json_open_object(struct json_out *json, const char *key);
void json_open_array(struct json_out *json, const char *key);
void json_end(struct json_out *json); // closes the innermost object or array

// Escaped as RFC 8259 asks; bytes that are no UTF-8 become U+FFFD, one for each byte.
void json_text(struct json_out *json, const char *key, const char *text);
void json_u64(struct json_out *json, const char *key, uint64_t value);
void json_i64(struct json_out *json, const char *key, int64_t value);
// With a decimal point or an exponent, in the shortest form that reads back to the same bits. Finite.
void json_double(struct json_out *json, const char *key, double value);
void json_bool(struct json_out *json, const char *key, bool value);
void json_none(struct json_out *json, const char *key);

#endif
