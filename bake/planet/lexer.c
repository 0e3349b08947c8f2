// SPDX-License-Identifier: MIT
#include "bake/planet/lexer.h"

#include <stdbool.h>
#include <string.h>

#include "common/text_number.h"

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_start(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// The byte at offset at, 0 behind the end (no text holds a zero byte).
static int byte_at(const struct source *source, size_t at)
{
    return at < source->length ? (unsigned char)source->text[at] : 0;
}

void lexer_begin(struct lexer *lexer, const struct source *source)
{
    *lexer = (struct lexer){.source = source};
    if (source->length >= 3 && memcmp(source->text, "\xEF\xBB\xBF", 3) == 0) // the mark that some editors write
        lexer->at = 3;
}

static void skip_blanks(struct lexer *lexer)
{
    for (;;) {
        int c = byte_at(lexer->source, lexer->at);
        if (c == '/' && byte_at(lexer->source, lexer->at + 1) == '/') {
            while (lexer->at < lexer->source->length && lexer->source->text[lexer->at] != '\n')
                lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || (c == '\n' && lexer->open_parentheses > 0)) {
            lexer->at++;
        } else {
            return;
        }
    }
}

static enum status_code lex_number(const struct source *source, struct token *token, struct status *status)
{
    token->kind = TOKEN_NUMBER;
    token->length = parse_real_prefix(source->text + token->at, source->length - token->at, &token->number);
    if (token->length == 0)
        return source_fail(source, token->at, status, "expected a number of at most 60 characters and within 1.8e308");
    int next = byte_at(source, token->at + token->length);
    if (is_name_start(next) || is_digit(next) || next == '.')
        return source_fail(source, token->at + token->length, status, "expected the number to end, got '%c'", next);
    return STATUS_OK;
}

static enum status_code lex_name(const struct source *source, struct token *token, struct status *status)
{
    token->kind = TOKEN_NAME;
    while (is_name_start(byte_at(source, token->at + token->length)) ||
           is_digit(byte_at(source, token->at + token->length)))
        token->length++;
    if (token->length > NAME_LENGTH_MAX)
        return source_fail(source, token->at, status, "expected a name of at most %d characters", NAME_LENGTH_MAX);
    return STATUS_OK;
}

static enum status_code lex_string(const struct source *source, struct token *token, struct status *status)
{
    token->kind = TOKEN_STRING;
    for (size_t at = token->at + 1;; at++) {
        int c = byte_at(source, at);
        if (c == 0 || c == '\n')
            return source_fail(source, token->at, status, "expected '\"' at the end of the string on the same line");
        if (c < 0x20 || c == 0x7F)
            return source_fail(source, at, status, "expected no control characters in a string");
        if (c == '"') {
            token->length = at + 1 - token->at;
            return STATUS_OK;
        }
        if (c == '\\') {
            at++;
            if (byte_at(source, at) != '"' && byte_at(source, at) != '\\')
                return source_fail(source, at - 1, status, "expected '\\\"' or '\\\\' behind a backslash");
        }
    }
}

static int hex_digit(int c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static enum status_code lex_color(const struct source *source, struct token *token, struct status *status)
{
    token->kind = TOKEN_COLOR;
    token->length = 7;
    for (size_t k = 1; k <= 6; k++) {
        int digit = hex_digit(byte_at(source, token->at + k));
        if (digit < 0)
            return source_fail(source, token->at, status, "expected a colour as #rrggbb, six hexadecimal digits");
        token->rgb = token->rgb << 4 | (uint32_t)digit;
    }
    int next = byte_at(source, token->at + 7);
    if (is_name_start(next) || is_digit(next))
        return source_fail(source, token->at, status, "expected a colour as #rrggbb, six hexadecimal digits");
    return STATUS_OK;
}

enum status_code lexer_next(struct lexer *lexer, struct token *token, struct status *status)
{
    static const char marks[] = "\n(),=+-*/";
    static const enum token_kind kinds[] = {TOKEN_LINE_END, TOKEN_OPEN,  TOKEN_CLOSE, TOKEN_COMMA, TOKEN_EQUALS,
                                            TOKEN_PLUS,     TOKEN_MINUS, TOKEN_TIMES, TOKEN_DIVIDE};
    const struct source *source = lexer->source;
    skip_blanks(lexer);
    *token = (struct token){.kind = TOKEN_END, .at = lexer->at};
    int c = byte_at(source, lexer->at);
    const char *mark = c ? strchr(marks, c) : NULL;
    enum status_code code = STATUS_OK;
    if (mark) {
        token->kind = kinds[mark - marks];
        token->length = 1;
    } else if (is_digit(c) || c == '.') {
        code = lex_number(source, token, status);
    } else if (is_name_start(c)) {
        code = lex_name(source, token, status);
    } else if (c == '"') {
        code = lex_string(source, token, status);
    } else if (c == '#') {
        code = lex_color(source, token, status);
    } else if (c != 0) {
        size_t size = utf8_sequence(source->text + lexer->at, source->length - lexer->at);
        return source_fail(source, lexer->at, status, "expected a name, number, operator or comment, got '%.*s'",
                           (int)size, source->text + lexer->at);
    }
    lexer->at += token->length;
    return code;
}
