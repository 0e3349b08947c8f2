// SPDX-License-Identifier: MIT
#include "bake/planet/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/options.h"

static const char *const given_names[GIVEN_COUNT] = {"latitude", "longitude", "position", "x", "y", "z"};

enum visit { NOT_VISITED, IN_PROGRESS, DONE };

struct frame {
    uint32_t definition;
    uint32_t next; // the expression to look at next
};

struct resolver {
    const struct syntax *syntax;
    struct resolution *resolution;
    const struct definition **sorted; // by name, then by place
    struct frame *stack;
    uint8_t *visits; // enum visit of each definition
    struct status *status;
};

static int compare_definitions(const void *left, const void *right)
{
    const struct definition *a = *(const struct definition *const *)left;
    const struct definition *b = *(const struct definition *const *)right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a > b) - (a < b);
}

static int compare_name(const void *key, const void *item)
{
    return strcmp(key, (*(const struct definition *const *)item)->name);
}

static int given_name(const char *name)
{
    for (int i = 0; i < GIVEN_COUNT; i++) {
        if (strcmp(name, given_names[i]) == 0)
            return i;
    }
    return -1;
}

static size_t line_of(const struct source *source, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += source->text[i] == '\n';
    return line;
}

static enum status_code check_definitions(const struct resolver *resolver)
{
    const struct syntax *syntax = resolver->syntax;
    const struct definition *first = NULL, *again = NULL;
    for (uint32_t i = 0; i < syntax->definition_count; i++) {
        const struct definition *definition = &syntax->definitions[i];
        if (given_name(definition->name) >= 0)
            return source_fail(&syntax->source, definition->at, resolver->status,
                               "expected another name: '%s' is given already", definition->name);
    }
    for (uint32_t i = 1; i < syntax->definition_count; i++) {
        const struct definition *a = resolver->sorted[i - 1], *b = resolver->sorted[i];
        if (strcmp(a->name, b->name) == 0 && (!again || b < again)) {
            first = a;
            again = b;
        }
    }
    if (again)
        return source_fail(&syntax->source, again->at, resolver->status,
                           "expected one definition of '%s', the first is on line %zu", again->name,
                           line_of(&syntax->source, first->at));
    return STATUS_OK;
}

static enum status_code unknown_name(const struct resolver *resolver, const struct expression *expression)
{
    const struct syntax *syntax = resolver->syntax;
    const struct function *function = function_find(expression->text);
    if (function)
        return source_fail(&syntax->source, expression->at, resolver->status,
                           "expected a defined name, got the function %s", function->signature);
    size_t count = syntax->definition_count;
    const char **names = malloc((count + GIVEN_COUNT + 1) * sizeof names[0]);
    const char *nearest = NULL;
    if (names) {
        for (size_t i = 0; i < count; i++)
            names[i] = syntax->definitions[i].name;
        memcpy(names + count, given_names, sizeof given_names);
        names[count + GIVEN_COUNT] = NULL;
        nearest = nearest_word(expression->text, names);
    }
    enum status_code code =
        source_fail(&syntax->source, expression->at, resolver->status, "expected a defined name, got '%s'%s%s%s",
                    expression->text, nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    free(names);
    return code;
}

static enum status_code find_targets(const struct resolver *resolver)
{
    const struct syntax *syntax = resolver->syntax;
    for (uint32_t i = 0; i < syntax->expression_count; i++) {
        const struct expression *expression = &syntax->expressions[i];
        if (expression->kind != EXPRESSION_NAME)
            continue;
        int given = given_name(expression->text);
        const struct definition *const *found = bsearch(expression->text, resolver->sorted, syntax->definition_count,
                                                        sizeof resolver->sorted[0], compare_name);
        if (given >= 0)
            resolver->resolution->target[i] = syntax->definition_count + (uint32_t)given;
        else if (found)
            resolver->resolution->target[i] = (uint32_t)(*found - syntax->definitions);
        else
            return unknown_name(resolver, expression);
    }
    return STATUS_OK;
}

// The definitions from the one that is needed again up to the top of the stack: "a -> b -> a".
static enum status_code cycle(const struct resolver *resolver, uint32_t depth, const struct expression *expression,
                              uint32_t target)
{
    const struct syntax *syntax = resolver->syntax;
    char path[240] = "";
    size_t length = 0;
    uint32_t from = depth - 1;
    while (resolver->stack[from].definition != target)
        from--;
    for (uint32_t i = from; i < depth; i++) {
        const char *name = syntax->definitions[resolver->stack[i].definition].name;
        if (strlen(name) + 12 > sizeof path - length) {
            length += (size_t)snprintf(path + length, sizeof path - length, "... -> ");
            break;
        }
        length += (size_t)snprintf(path + length, sizeof path - length, "%s -> ", name);
    }
    return source_fail(&syntax->source, expression->at, resolver->status,
                       "expected a definition that does not need itself: %s%s", path, syntax->definitions[target].name);
}

// Depth first, with a stack of its own: chains of definitions may be long.
static enum status_code visit_from(struct resolver *resolver, uint32_t start, uint32_t *order_count)
{
    const struct syntax *syntax = resolver->syntax;
    uint32_t depth = 0;
    resolver->stack[depth++] = (struct frame){start, syntax->definitions[start].first};
    resolver->visits[start] = IN_PROGRESS;
    while (depth > 0) {
        struct frame *top = &resolver->stack[depth - 1];
        if (top->next > syntax->definitions[top->definition].root) {
            resolver->visits[top->definition] = DONE;
            resolver->resolution->order[(*order_count)++] = top->definition;
            depth--;
            continue;
        }
        uint32_t index = top->next++, target = resolver->resolution->target[index];
        if (syntax->expressions[index].kind != EXPRESSION_NAME || target >= syntax->definition_count ||
            resolver->visits[target] == DONE)
            continue;
        if (resolver->visits[target] == IN_PROGRESS)
            return cycle(resolver, depth, &syntax->expressions[index], target);
        resolver->visits[target] = IN_PROGRESS;
        resolver->stack[depth++] = (struct frame){target, syntax->definitions[target].first};
    }
    return STATUS_OK;
}

static enum status_code find_order(struct resolver *resolver)
{
    uint32_t order_count = 0, radius = resolve_find(resolver->syntax, "radius");
    enum status_code code = STATUS_OK;
    if (radius != UINT32_MAX)
        code = visit_from(resolver, radius, &order_count);
    for (uint32_t i = 0; code == STATUS_OK && i < resolver->syntax->definition_count; i++) {
        if (resolver->visits[i] == NOT_VISITED)
            code = visit_from(resolver, i, &order_count);
    }
    return code;
}

enum status_code resolve_names(struct resolution *resolution, const struct syntax *syntax, struct status *status)
{
    struct resolver resolver = {.syntax = syntax, .resolution = resolution, .status = status};
    size_t definitions = syntax->definition_count, expressions = syntax->expression_count;
    size_t bytes = arena_bound(definitions, sizeof *resolution->order) +
                   arena_bound(expressions, sizeof *resolution->target) +
                   arena_bound(definitions, sizeof *resolver.sorted) +
                   arena_bound(definitions, sizeof *resolver.stack) + arena_bound(definitions, 1);
    *resolution = (struct resolution){.memory = malloc(bytes)};
    if (!resolution->memory)
        return status_fail_memory(status, syntax->source.label, bytes);
    struct arena arena = arena_over(resolution->memory, bytes);
    resolution->order = arena_take(&arena, definitions, sizeof *resolution->order);
    resolution->target = arena_take(&arena, expressions, sizeof *resolution->target);
    resolver.sorted = arena_take(&arena, definitions, sizeof *resolver.sorted);
    resolver.stack = arena_take(&arena, definitions, sizeof *resolver.stack);
    resolver.visits = arena_take(&arena, definitions, 1);
    memset(resolution->target, 0, expressions * sizeof *resolution->target);
    memset(resolver.visits, NOT_VISITED, definitions);
    for (size_t i = 0; i < definitions; i++)
        resolver.sorted[i] = &syntax->definitions[i];
    qsort(resolver.sorted, definitions, sizeof resolver.sorted[0], compare_definitions);

    enum status_code code;
    if ((code = check_definitions(&resolver)) || (code = find_targets(&resolver)))
        return code;
    return find_order(&resolver);
}

void resolution_free(struct resolution *resolution)
{
    free(resolution->memory);
    *resolution = (struct resolution){0};
}

uint32_t resolve_find(const struct syntax *syntax, const char *name)
{
    for (uint32_t i = 0; i < syntax->definition_count; i++) {
        if (strcmp(syntax->definitions[i].name, name) == 0)
            return i;
    }
    return UINT32_MAX;
}
