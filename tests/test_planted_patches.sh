#!/bin/sh
# SPDX-License-Identifier: MIT
# The bugs that scripts/planted-bugs plants still fit the tree, and each names a test that there is.
cd "$(dirname "$0")/.." || exit 4
failed=0 count=0
for patch in tests/planted/*.patch; do
    count=$((count + 1))
    git apply --check -p1 "$patch" || failed=1
    test=$(sed -n 's/^Test: //p' "$patch")
    program=tests/${test% *} claim=${test#* }
    case $program in *.py) definition="def $claim()" ;; *) program=$program.c definition="static void $claim(void)" ;; esac
    grep -qF "$definition" "$program" || {
        echo "$patch: no test '$test'"
        failed=1
    }
done
if [ $failed -eq 0 ] && [ $count -ge 16 ]; then
    echo "ok every_planted_bug_fits_and_names_a_test"
else
    echo "FAILED every_planted_bug_fits_and_names_a_test ($count bugs; scripts/planted-bugs says what a patch is)"
    exit 1
fi
