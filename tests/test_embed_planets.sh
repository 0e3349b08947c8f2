#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/embed-planets carries every byte of a planet file into the program.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

{
    printf '\n name = "??=" // no summary\n  //  The summary: "\\?"\n// not this\n'
    LC_ALL=C awk 'BEGIN { for (i = 1; i < 256; i++) printf "%c", i }'
    printf '0 end without a newline'
} >"$folder/odd.planet"
: >"$folder/empty.planet"
scripts/embed-planets "$folder/empty.planet" "$folder/odd.planet" >"$folder/planets.c"
cat >"$folder/main.c" <<'END'
#include <stdio.h>
#include "bake/planet/planet.h"
int main(void)
{
    const struct builtin_planet *odd = builtin_planets + 1;
    fputs(odd->text, stdout);
    fprintf(stderr, "%s|%s|%s|%s|%d", odd[-1].name, odd[-1].text, odd->name, odd->summary, odd[1].name == NULL);
    return 0;
}
END
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I. -o "$folder/main" "$folder/main.c" "$folder/planets.c"
"$folder/main" >"$folder/text" 2>"$folder/about"

report() { # NAME, then a command that holds
    name=$1
    shift
    if "$@"; then echo "ok $name"; else echo "FAILED $name"; fi
}
report every_byte_arrives cmp "$folder/text" "$folder/odd.planet"
report summary_is_the_first_comment_line test "$(cat "$folder/about")" = 'empty||odd|The summary: "\?"|1'
if scripts/embed-planets "$folder/missing.planet" >/dev/null 2>&1; then
    echo "FAILED a_missing_file_is_an_error"
else
    echo "ok a_missing_file_is_an_error"
fi
