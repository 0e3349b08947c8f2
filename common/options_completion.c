// SPDX-License-Identifier: MIT
#include <string.h>

#include "common/options.h"

// Functions of the shells carry the program's name with "_" for "-".
static void put_identifier(FILE *out, const char *name)
{
    for (; *name; name++)
        putc(*name == '-' ? '_' : *name, out);
}

static void put_verb_names(FILE *out, const struct program *program, const char *joint)
{
    for (size_t k = 0; k < program->verb_count; k++)
        fprintf(out, "%s%s", k > 0 ? joint : "", program->verbs[k]->name);
}

// Text inside '...', with the characters of stop shown as blanks where the shell gives them a meaning.
static void put_quoted(FILE *out, const char *text, const char *stop)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else
            putc(strchr(stop, *text) ? ' ' : *text, out);
    }
}

// Where an option has words and is OPTION_TEXT, files are proposed beside the words.

// ---- bash ----

static void put_bash_row(FILE *out, const struct verb *verb, const struct option_row *row)
{
    if (row->kind == OPTION_FLAG)
        return;
    const char *name = verb->name ? verb->name : "";
    fprintf(out, "    %s/--%s", name, row->name);
    if (row->letter)
        fprintf(out, " | %s/-%c", name, row->letter);
    fputs(")", out);
    if (row->words) {
        fprintf(out, " mapfile -t COMPREPLY < <(compgen %s-W '", row->kind == OPTION_TEXT ? "-f " : "");
        for (int k = 0; row->words[k]; k++)
            fprintf(out, "%s%s", k > 0 ? " " : "", row->words[k]);
        fputs("' -- \"$current\")", out);
    } else if (row->kind == OPTION_PATH) {
        fputs(" files=1", out);
    }
    fputs(" ;;\n", out);
}

static void put_bash_verb(FILE *out, const struct verb *verb)
{
    for (size_t k = 0; k < verb->row_count; k++)
        put_bash_row(out, verb, &verb->rows[k]);
    fprintf(out, "    %s/*)\n        words='", verb->name ? verb->name : "");
    for (size_t k = 0; k < verb->row_count; k++)
        fprintf(out, "--%s ", verb->rows[k].name);
    fputs("--help'\n        ;;\n", out);
}

static void put_bash(FILE *out, const struct program *program)
{
    bool has_verbs = program->verbs[0]->name != NULL;
    fprintf(out, "# bash completion for %s; made from the option tables by --completion bash\n_", program->name);
    put_identifier(out, program->name);
    fputs(
        "() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb='' words='' files=''\n"
        "    COMPREPLY=()\n"
        "    # bash splits --name=value into three words\n"
        "    if [[ $current == = ]]; then\n"
        "        current=''\n"
        "    elif [[ $previous == = ]]; then\n"
        "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "    fi\n",
        out);
    if (has_verbs) {
        fputs("    if ((COMP_CWORD == 1)); then\n        mapfile -t COMPREPLY < <(compgen -W '", out);
        put_verb_names(out, program, " ");
        fputs(" --help --version' -- \"$current\")\n        return\n    fi\n    verb=${COMP_WORDS[1]}\n", out);
    }
    fputs("    case $verb/$previous in\n", out);
    for (size_t k = 0; k < program->verb_count; k++)
        put_bash_verb(out, program->verbs[k]);
    fputs("    esac\n"
          "    if [[ $words && $current == -* ]]; then\n"
          "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
          "    elif [[ $words || $files ]]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
          "    fi\n"
          "}\n"
          "complete -F _",
          out);
    put_identifier(out, program->name);
    fprintf(out, " %s\n", program->name);
}

// ---- zsh ----

static void put_zsh_row(FILE *out, const struct option_row *row)
{
    const char *again = row->kind == OPTION_LIST || row->repeatable ? "*" : "";
    const char *equals = row->kind == OPTION_FLAG ? "" : "=";
    if (row->letter && *again)
        fprintf(out, "            '*'{-%c,--%s%s}'[", row->letter, row->name, equals);
    else if (row->letter)
        fprintf(out, "            '(-%c --%s)'{-%c,--%s%s}'[", row->letter, row->name, row->letter, row->name, equals);
    else
        fprintf(out, "            '%s--%s%s[", again, row->name, equals);
    put_quoted(out, row->help, "[]:\\");
    putc(']', out);
    if (row->kind != OPTION_FLAG) {
        putc(':', out);
        put_quoted(out, row->value, "[]:\\");
        putc(':', out);
    }
    if (row->words) {
        bool files_too = row->kind == OPTION_TEXT;
        fputs(files_too ? " _alternative \"words\\:word\\:(" : "(", out);
        for (int k = 0; row->words[k]; k++)
            fprintf(out, "%s%s", k > 0 ? " " : "", row->words[k]);
        fputs(files_too ? ")\" \"files\\:file\\:_files\"" : ")", out);
    } else if (row->kind == OPTION_PATH) {
        fputs("_files", out);
    }
    fputs("' \\\n", out);
}

static void put_zsh_verb(FILE *out, const struct verb *verb)
{
    fprintf(out, "    %s)\n        _arguments -s \\\n", verb->name ? verb->name : "''");
    for (size_t k = 0; k < verb->row_count; k++)
        put_zsh_row(out, &verb->rows[k]);
    if (*verb->positionals)
        fputs("            '*:file:_files' \\\n", out);
    fputs("            '(- *)'{-h,--help}'[show help]'\n        ;;\n", out);
}

static void put_zsh(FILE *out, const struct program *program)
{
    bool has_verbs = program->verbs[0]->name != NULL;
    fprintf(out, "#compdef %s\n# made from the option tables by --completion zsh\nlocal verb=''\n", program->name);
    if (has_verbs) {
        fputs("if ((CURRENT == 2)); then\n    local -a verbs=(\n", out);
        for (size_t k = 0; k < program->verb_count; k++) {
            fprintf(out, "        '%s:", program->verbs[k]->name);
            put_quoted(out, program->verbs[k]->summary, ":\\");
            fputs("'\n", out);
        }
        fputs("    )\n    _describe verb verbs\n    return\nfi\nverb=$words[2]\nshift words\n((CURRENT--))\n", out);
    }
    fputs("case $verb in\n", out);
    for (size_t k = 0; k < program->verb_count; k++)
        put_zsh_verb(out, program->verbs[k]);
    fputs("esac\n", out);
}

// ---- fish ----

static void put_fish_row(FILE *out, const struct program *program, const struct verb *verb,
                         const struct option_row *row)
{
    fprintf(out, "complete -c %s", program->name);
    if (verb->name)
        fprintf(out, " -n '__fish_seen_subcommand_from %s'", verb->name);
    fprintf(out, " -l %s", row->name);
    if (row->letter)
        fprintf(out, " -s %c", row->letter);
    if (row->words) {
        fputs(row->kind == OPTION_TEXT ? " -r -F -a '" : " -x -a '", out);
        for (int k = 0; row->words[k]; k++)
            fprintf(out, "%s%s", k > 0 ? " " : "", row->words[k]);
        putc('\'', out);
    } else if (row->kind != OPTION_FLAG) {
        fputs(row->kind == OPTION_PATH ? " -r -F" : " -x", out);
    }
    fputs(" -d '", out);
    put_quoted(out, row->help, "\\'");
    fputs("'\n", out);
}

static void put_fish(FILE *out, const struct program *program)
{
    fprintf(out, "# fish completion for %s; made from the option tables by --completion fish\n", program->name);
    for (size_t k = 0; k < program->verb_count; k++) {
        const struct verb *verb = program->verbs[k];
        if (verb->name) {
            fprintf(out, "complete -c %s -n __fish_use_subcommand -f -a %s -d '", program->name, verb->name);
            put_quoted(out, verb->summary, "\\'");
            fputs("'\n", out);
        }
        for (size_t r = 0; r < verb->row_count; r++)
            put_fish_row(out, program, verb, &verb->rows[r]);
    }
    fprintf(out, "complete -c %s -l help -s h -d 'show help'\n", program->name);
}

void program_print_completion(const struct program *program, enum completion_shell shell, FILE *out)
{
    switch (shell) {
    case COMPLETION_BASH: put_bash(out, program); break;
    case COMPLETION_ZSH: put_zsh(out, program); break;
    case COMPLETION_FISH: put_fish(out, program); break;
    }
}
