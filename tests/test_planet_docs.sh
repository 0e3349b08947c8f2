#!/bin/sh
# SPDX-License-Identifier: MIT
# bake/planet/language.md says what the program does: its example bakes, and it knows every function; so does the planet
# that other machines are compared with.
set -eu
page=bake/planet/language.md
planet=tests/data/every_function.planet
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk '/^```/ { fence++; next } fence == 1' "$page" >"$folder/hills.planet"
if "$TERRANE" bake -q -o "$folder/hills.terrane" --planet "$folder/hills.planet" --set relief=2500 --depth 0 --tile 32 &&
    "$TERRANE" info "$folder/hills.terrane" --json | grep -q '"planet":"hills"'; then
    echo "ok the_example_of_the_language_page_bakes"
else
    echo "FAILED the_example_of_the_language_page_bakes"
fi

count=0
missing=
unused=
for function in $(sed -n 's/^    FUNCTION_\([A-Z]*\),$/\1/p' bake/planet/functions.h | tr '[:upper:]' '[:lower:]'); do
    count=$((count + 1))
    grep -q "\`$function(" "$page" || missing="$missing $function"
    grep -q "\b$function(" "$planet" || unused="$unused $function"
done
if [ "$count" -ge 27 ] && [ -z "$missing" ]; then
    echo "ok the_language_page_knows_every_function"
else
    echo "FAILED the_language_page_knows_every_function: $count functions, without$missing"
fi
if [ "$count" -ge 27 ] && [ -z "$unused" ]; then
    echo "ok a_planet_of_the_tests_uses_every_function"
else
    echo "FAILED a_planet_of_the_tests_uses_every_function: $count functions, without$unused"
fi
