// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "bake/planet/lexer.h"
#include "bake/planet/syntax.h"
#include "common/arena.h"

// Arguments of one call: more than any function takes.
#define ARGUMENTS_MAX 160
// How much of what was found is quoted in a message.
#define QUOTE_MAX 40

struct parser {
    struct syntax *syntax;
    struct lexer lexer;
    struct token token; // the next one
    char *names;        // where the next name or string goes
    int nesting;
    uint32_t noise_count;
    struct status *status;
};

static enum status_code parse_expression(struct parser *parser, uint32_t *index);

static enum status_code advance(struct parser *parser)
{
    return lexer_next(&parser->lexer, &parser->token, parser->status);
}

static enum status_code expected(const struct parser *parser, const char *what)
{
    const struct source *source = &parser->syntax->source;
    const struct token *token = &parser->token;
    if (token->kind == TOKEN_END)
        return source_fail(source, token->at, parser->status, "expected %s before the end", what);
    if (token->kind == TOKEN_LINE_END)
        return source_fail(source, token->at, parser->status, "expected %s before the end of the line", what);
    size_t length = token->length < QUOTE_MAX ? token->length : QUOTE_MAX;
    return source_fail(source, token->at, parser->status, "expected %s, got '%.*s'", what, (int)length,
                       source->text + token->at);
}

// The text of a name or string token, kept for as long as the syntax.
static const char *keep_text(struct parser *parser)
{
    const char *from = parser->syntax->source.text + parser->token.at;
    size_t length = parser->token.length;
    if (parser->token.kind == TOKEN_STRING) {
        from++;
        length -= 2;
    }
    char *kept = parser->names;
    for (size_t i = 0; i < length; i++) {
        if (parser->token.kind == TOKEN_STRING && from[i] == '\\')
            i++;
        *parser->names++ = from[i];
    }
    *parser->names++ = 0;
    return kept;
}

static enum status_code append(struct parser *parser, const struct expression *expression, uint32_t *index)
{
    struct syntax *syntax = parser->syntax;
    if (syntax->expression_count == SYNTAX_EXPRESSIONS_MAX)
        return source_fail(&syntax->source, expression->at, parser->status,
                           "expected at most %d numbers, names, operators and calls in all", SYNTAX_EXPRESSIONS_MAX);
    *index = syntax->expression_count;
    syntax->expressions[syntax->expression_count++] = *expression;
    return STATUS_OK;
}

static enum status_code enter(struct parser *parser)
{
    if (++parser->nesting > SYNTAX_NESTING_MAX)
        return source_fail(&parser->syntax->source, parser->token.at, parser->status,
                           "expected at most %d levels of nesting", SYNTAX_NESTING_MAX);
    return STATUS_OK;
}

// Behind an operator the line may end.
static enum status_code advance_over_line_ends(struct parser *parser)
{
    enum status_code code;
    do
        code = advance(parser);
    while (code == STATUS_OK && parser->token.kind == TOKEN_LINE_END);
    return code;
}

// One argument: value, or name = value. A name is told from a value by the '=' behind it, so the lexer is asked for
// one token more and set back.
static enum status_code parse_argument(struct parser *parser, struct argument *argument)
{
    enum status_code code;
    *argument = (struct argument){.at = (uint32_t)parser->token.at};
    if (parser->token.kind == TOKEN_NAME) {
        struct lexer ahead = parser->lexer;
        struct token next;
        if ((code = lexer_next(&ahead, &next, parser->status)))
            return code;
        if (next.kind == TOKEN_EQUALS) {
            argument->name = keep_text(parser);
            parser->lexer = ahead;
            if ((code = advance(parser)))
                return code;
        }
    }
    return parse_expression(parser, &argument->value);
}

// The parser stands behind the opening parenthesis.
static enum status_code parse_arguments(struct parser *parser, struct expression *call)
{
    struct argument arguments[ARGUMENTS_MAX];
    uint32_t count = 0;
    enum status_code code;
    while (parser->token.kind != TOKEN_CLOSE) {
        if (count == ARGUMENTS_MAX)
            return expected(parser, "at most 160 arguments");
        if ((code = parse_argument(parser, &arguments[count])))
            return code;
        const struct argument *last = &arguments[count++];
        if (count > 1 && !last->name && last[-1].name)
            return source_fail(&parser->syntax->source, last->at, parser->status,
                               "expected name = value, since arguments by name come last");
        if (parser->token.kind == TOKEN_CLOSE)
            break;
        if (parser->token.kind != TOKEN_COMMA)
            return expected(parser, "an operator, ',' or ')'");
        if ((code = advance(parser)))
            return code;
        if (parser->token.kind == TOKEN_CLOSE)
            return expected(parser, "an argument behind ','");
    }
    struct syntax *syntax = parser->syntax;
    call->argument = syntax->argument_count;
    call->argument_count = count;
    if (count > 0)
        memcpy(syntax->arguments + syntax->argument_count, arguments, count * sizeof arguments[0]);
    syntax->argument_count += count;
    return STATUS_OK;
}

static enum status_code parse_close(struct parser *parser)
{
    if (parser->token.kind != TOKEN_CLOSE)
        return expected(parser, "an operator or ')'");
    parser->lexer.open_parentheses--;
    parser->nesting--;
    return advance(parser);
}

// The parser stands on the opening parenthesis.
static enum status_code parse_open(struct parser *parser)
{
    enum status_code code = enter(parser);
    if (code)
        return code;
    parser->lexer.open_parentheses++;
    return advance(parser);
}

static enum status_code parse_call(struct parser *parser, const char *name, uint32_t at, uint32_t *index)
{
    struct expression call = {.kind = EXPRESSION_CALL, .at = at, .function = function_find(name)};
    if (!call.function) {
        const char *nearest = function_nearest(name);
        return source_fail(&parser->syntax->source, at, parser->status, "expected a function, got '%s'%s%s%s", name,
                           nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    }
    if (call.function->takes_seed)
        call.noise_number = ++parser->noise_count;
    enum status_code code;
    if ((code = parse_open(parser)) || (code = parse_arguments(parser, &call)) || (code = parse_close(parser)))
        return code;
    return append(parser, &call, index);
}

static enum status_code parse_name(struct parser *parser, uint32_t *index)
{
    uint32_t at = (uint32_t)parser->token.at;
    const char *name = keep_text(parser);
    enum status_code code = advance(parser);
    if (code)
        return code;
    if (parser->token.kind == TOKEN_OPEN)
        return parse_call(parser, name, at, index);
    return append(parser, &(struct expression){.kind = EXPRESSION_NAME, .at = at, .text = name}, index);
}

static enum status_code parse_primary(struct parser *parser, uint32_t *index)
{
    struct expression literal = {.at = (uint32_t)parser->token.at};
    enum status_code code;
    switch (parser->token.kind) {
    case TOKEN_NUMBER:
        literal.kind = EXPRESSION_NUMBER;
        literal.number = parser->token.number;
        break;
    case TOKEN_COLOR:
        literal.kind = EXPRESSION_COLOR;
        literal.rgb = parser->token.rgb;
        break;
    case TOKEN_STRING:
        literal.kind = EXPRESSION_STRING;
        literal.text = keep_text(parser);
        break;
    case TOKEN_NAME: return parse_name(parser, index);
    case TOKEN_OPEN:
        if ((code = parse_open(parser)) || (code = parse_expression(parser, index)))
            return code;
        return parse_close(parser);
    default: return expected(parser, "a number, name, call, colour, string or '('");
    }
    if ((code = advance(parser)))
        return code;
    return append(parser, &literal, index);
}

static enum status_code parse_unary(struct parser *parser, uint32_t *index)
{
    if (parser->token.kind != TOKEN_MINUS)
        return parse_primary(parser, index);
    struct expression negation = {.kind = EXPRESSION_NEGATE, .at = (uint32_t)parser->token.at};
    enum status_code code;
    if ((code = enter(parser)) || (code = advance_over_line_ends(parser)) ||
        (code = parse_unary(parser, &negation.left)))
        return code;
    parser->nesting--;
    return append(parser, &negation, index);
}

static bool binary_kind(enum token_kind token, bool product, enum expression_kind *kind)
{
    switch (token) {
    case TOKEN_PLUS: *kind = EXPRESSION_ADD; return !product;
    case TOKEN_MINUS: *kind = EXPRESSION_SUBTRACT; return !product;
    case TOKEN_TIMES: *kind = EXPRESSION_MULTIPLY; return product;
    case TOKEN_DIVIDE: *kind = EXPRESSION_DIVIDE; return product;
    default: return false;
    }
}

// A chain of operators of one strength, from left to right: products of unaries, or sums of products.
static enum status_code parse_chain(struct parser *parser, bool product, uint32_t *index)
{
    enum status_code code = product ? parse_unary(parser, index) : parse_chain(parser, true, index);
    struct expression operation = {0};
    while (code == STATUS_OK && binary_kind(parser->token.kind, product, &operation.kind)) {
        operation.at = (uint32_t)parser->token.at;
        operation.left = *index;
        if ((code = advance_over_line_ends(parser)))
            return code;
        code = product ? parse_unary(parser, &operation.right) : parse_chain(parser, true, &operation.right);
        if (code == STATUS_OK)
            code = append(parser, &operation, index);
    }
    return code;
}

static enum status_code parse_expression(struct parser *parser, uint32_t *index)
{
    return parse_chain(parser, false, index);
}

static enum status_code parse_definition(struct parser *parser)
{
    struct syntax *syntax = parser->syntax;
    struct definition definition = {.at = (uint32_t)parser->token.at, .first = syntax->expression_count};
    if (parser->token.kind != TOKEN_NAME)
        return expected(parser, "a definition, name = expression");
    definition.name = keep_text(parser);
    enum status_code code = advance(parser);
    if (code)
        return code;
    if (parser->token.kind != TOKEN_EQUALS)
        return expected(parser, "'=' behind the name");
    if ((code = advance(parser)))
        return code;
    definition.value_at = (uint32_t)parser->token.at;
    if ((code = parse_expression(parser, &definition.root)))
        return code;
    if (parser->token.kind != TOKEN_LINE_END && parser->token.kind != TOKEN_END)
        return expected(parser, "an operator or the end of the line");
    syntax->definitions[syntax->definition_count++] = definition;
    return STATUS_OK;
}

// Every expression, argument and definition takes at least one byte of text, and so does every character of a name.
static enum status_code parser_begin(struct parser *parser, struct syntax *syntax, const struct source *source,
                                     struct status *status)
{
    *syntax = (struct syntax){.source = *source};
    enum status_code code = source_check(source, status);
    if (code)
        return code;
    size_t most = source->length < SYNTAX_EXPRESSIONS_MAX ? source->length + 1 : SYNTAX_EXPRESSIONS_MAX + 1;
    size_t names_bytes = 2 * source->length + 1;
    size_t bytes = arena_bound(most, sizeof *syntax->expressions) + arena_bound(most, sizeof *syntax->arguments) +
                   arena_bound(most, sizeof *syntax->definitions) + arena_bound(names_bytes, 1);
    syntax->memory = malloc(bytes);
    if (!syntax->memory)
        return status_fail_memory(status, source->label, bytes);
    struct arena arena = arena_over(syntax->memory, bytes);
    syntax->expressions = arena_take(&arena, most, sizeof *syntax->expressions);
    syntax->arguments = arena_take(&arena, most, sizeof *syntax->arguments);
    syntax->definitions = arena_take(&arena, most, sizeof *syntax->definitions);
    *parser = (struct parser){.syntax = syntax, .names = arena_take(&arena, names_bytes, 1), .status = status};
    lexer_begin(&parser->lexer, source);
    return advance(parser);
}

enum status_code syntax_parse_file(struct syntax *syntax, const struct source *source, struct status *status)
{
    struct parser parser;
    enum status_code code = parser_begin(&parser, syntax, source, status);
    while (code == STATUS_OK && parser.token.kind != TOKEN_END)
        code = parser.token.kind == TOKEN_LINE_END ? advance(&parser) : parse_definition(&parser);
    return code;
}

enum status_code syntax_parse_value(struct syntax *syntax, const struct source *source, const char *name,
                                    struct status *status)
{
    struct parser parser;
    struct definition definition = {.name = name};
    enum status_code code;
    if ((code = parser_begin(&parser, syntax, source, status)) || (code = parse_expression(&parser, &definition.root)))
        return code;
    if (parser.token.kind != TOKEN_END)
        return expected(&parser, "an operator or the end");
    syntax->definitions[syntax->definition_count++] = definition;
    return STATUS_OK;
}

void syntax_free(struct syntax *syntax)
{
    free(syntax->memory);
    *syntax = (struct syntax){0};
}
