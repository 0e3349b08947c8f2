#!/bin/bash
# SPDX-License-Identifier: MIT
# Bakes a planet with GNU parallel: on this machine, or on a few that are reached by ssh and see the same folder.
#   scripts/cluster/parallel.sh PACK N [--hosts FILE] [bake arguments...]
#     PACK          the pack to make, by a path that is the same everywhere
#     N             into how many shares the bake is cut; a machine bakes as many at once as it has processors
#     --hosts FILE  machines, one a line (parallel's --sshloginfile); ':' is this one
# Example:
#   scripts/cluster/parallel.sh /shared/earth.terrane 64 --hosts machines.txt --planet earthlike --depth 8
# Environment: TERRANE, the program (default: this checkout's build/release/terrane, else terrane in PATH), at a path
# that is the same everywhere; TERRANE_SCRATCH, a folder on each machine to work in.
#
# A share that fails is tried twice more, perhaps on another machine. Interrupted or failed, start the same again:
# shares in PACK.shares/ that stand finished are not baked again. Exit codes are terrane's.
set -u
here=$(dirname "$(realpath -- "${BASH_SOURCE[0]}")")

if [ $# -lt 2 ] || [ "$1" = --help ]; then
    sed -n 's/^# \{0,1\}//; 3,14p' "$0" >&2
    exit 2
fi
pack=$(realpath -- "$1") || exit 4
count=$2
shift 2
machines=()
if [ "${1:-}" = --hosts ] && [ $# -ge 2 ]; then
    machines=(--sshloginfile "$2")
    shift 2
fi
if ! [[ $count =~ ^[1-9][0-9]{0,5}$ ]]; then
    echo "parallel.sh: '$count': the number of shares, at least 1" >&2
    exit 2
fi

export TERRANE=${TERRANE:-$here/../../build/release/terrane}
[ -x "$TERRANE" ] || TERRANE=terrane
# Bad arguments are refused once, not once for each share.
"$TERRANE" bake -o "$pack" --shard "1/$count" "$@" --estimate --json >/dev/null || exit
mkdir -p -- "$pack.shares" || exit 4

# Whole command lines, in quotes that every shell knows: in a template parallel would look for {} and its many kin,
# which may stand in names. env, because ssh hands no environment on.
commands() {
    local share word
    for ((share = 1; share <= count; share++)); do
        for word in env "TERRANE=$TERRANE" "TERRANE_SCRATCH=${TERRANE_SCRATCH:-}" \
            "$here/bake-share" "$pack.shares" "$share" "$count" "$@" -j 1; do
            printf "'%s' " "${word//\'/\'\\\'\'}"
        done
        printf '\0'
    done
}

# --termseq: time to stop in good order.
if ! commands "$@" | parallel --will-cite --null "${machines[@]}" --workdir "$PWD" --retries 3 \
    --termseq TERM,20000,KILL,25 --joblog "$pack.shares/jobs.log"; then
    code=$(awk 'NR > 1 && $7 != 0 { code = $7 } END { print code ? code : 4 }' "$pack.shares/jobs.log")
    echo "parallel.sh: not all shares were baked; the same command goes on from what is done" >&2
    exit "$code"
fi
"$here/merge-shares" "$pack" "$pack.shares" "$count" "$@" && rm -rf -- "$pack.shares"
