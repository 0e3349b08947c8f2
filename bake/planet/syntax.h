// SPDX-License-Identifier: MIT
// A planet file as it is written: definitions, each an expression. Names are not yet looked up, nothing is computed.
//
// All expressions lie in one array in the order of evaluation: operands before the expression that uses them. So
// whoever works on them goes through the array from front to back, without recursion.
#ifndef TERRANE_BAKE_PLANET_SYNTAX_H
#define TERRANE_BAKE_PLANET_SYNTAX_H

#include <stdint.h>

#include "bake/planet/functions.h"
#include "bake/planet/source.h"

#define SYNTAX_NESTING_MAX 64
#define SYNTAX_EXPRESSIONS_MAX 20000

enum expression_kind {
    EXPRESSION_NUMBER,
    EXPRESSION_COLOR,
    EXPRESSION_STRING,
    EXPRESSION_NAME,
    EXPRESSION_NEGATE,
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_CALL,
};

struct expression {
    enum expression_kind kind;
    uint32_t at;                     // where in the text; of an operation its operator
    double number;                   // of a number
    uint32_t rgb;                    // of a colour, 0xRRGGBB
    const char *text;                // of a name or a string, without quotes; ends in zero
    uint32_t left, right;            // operands, as indices; a negation has only left
    const struct function *function; // of a call
    uint32_t argument, argument_count;
    uint32_t noise_number; // of a call that takes a seed: 1 for the first in the text, and so on
};

// The arguments of one call lie one behind the other in the array of arguments.
struct argument {
    const char *name; // NULL where it is positional; named ones come last
    uint32_t at;      // of the name or the value
    uint32_t value;   // an expression
};

struct definition {
    const char *name;
    uint32_t at;          // of the name
    uint32_t value_at;    // of the first token of its expression
    uint32_t first, root; // its expressions: first..root, the last one is the whole
};

struct syntax {
    struct source source; // borrowed
    struct expression *expressions;
    struct argument *arguments;
    struct definition *definitions;
    uint32_t expression_count, argument_count, definition_count;
    void *memory; // of all of the above
};

// Reads a whole file. What the source points to must outlive the syntax.
enum status_code syntax_parse_file(struct syntax *syntax, const struct source *source, struct status *status);

// Reads one expression and nothing else: definition 0, called name (borrowed).
enum status_code syntax_parse_value(struct syntax *syntax, const struct source *source, const char *name,
                                    struct status *status);

// Also after a failure, and for a zeroed struct.
void syntax_free(struct syntax *syntax);

#endif
