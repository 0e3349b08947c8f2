// SPDX-License-Identifier: MIT
// Text of a planet file -> tokens.
#ifndef TERRANE_BAKE_PLANET_LEXER_H
#define TERRANE_BAKE_PLANET_LEXER_H

#include <stddef.h>
#include <stdint.h>

#include "bake/planet/source.h"

enum token_kind {
    TOKEN_END,
    TOKEN_LINE_END,
    TOKEN_NUMBER,
    TOKEN_COLOR,
    TOKEN_STRING, // quotes included
    TOKEN_NAME,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_COMMA,
    TOKEN_EQUALS,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
};

struct token {
    enum token_kind kind;
    size_t at, length; // where it stands in the text
    double number;     // of a number, finite
    uint32_t rgb;      // of a colour, 0xRRGGBB
};

#define NAME_LENGTH_MAX 64

struct lexer {
    const struct source *source;
    size_t at;
    int open_parentheses; // the parser keeps count: while it is not zero, ends of lines are blanks
};

void lexer_begin(struct lexer *lexer, const struct source *source);

// The next token; at the end TOKEN_END for ever. The text must have passed source_check.
enum status_code lexer_next(struct lexer *lexer, struct token *token, struct status *status);

#endif
