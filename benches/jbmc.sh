#!/usr/bin/env bash
# Ten small faulty programs (programs/java/faulty), each checked by Lazuli and by JBMC: is the line found that fails, and
# how soon? Prints a table; the times are wall-clock seconds, the best of three. JBMC is the command $JBMC, or jbmc; Debian 13 has it.
#
#     cargo build --release --bin lazuli && benches/jbmc.sh
set -euo pipefail
cd "$(dirname "$0")/.."
lazuli=${LAZULI:-target/release/lazuli}
jbmc=${JBMC:-jbmc}
command -v "$jbmc" >/dev/null || { echo "there is no $jbmc: say where it is by JBMC=…" >&2; exit 2; }
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
# JBMC reads class files of Java 8.
javac -g -nowarn -Xlint:none --release 8 -d "$classes" programs/java/faulty/*.java

# The best of three, in seconds; what the command says is in $said.
best() {
    local best= began ended
    for _ in 1 2 3; do
        began=$(date +%s%N)
        said=$(timeout 120 "$@" 2>/dev/null) || true
        ended=$(($(date +%s%N) - began))
        if [ -z "$best" ] || [ "$ended" -lt "$best" ]; then best=$ended; fi
    done
    seconds=$(printf '%d.%03d' $((best / 1000000000)) $((best / 1000000 % 1000)))
}

bounds=(--unwind 8 --max-nondet-array-length 8 --max-nondet-string-length 4 --max-nondet-tree-depth 5)
printf '%-10s  %-4s  %-14s  %-14s  %s\n' program line 'Lazuli' '  with a JVM' JBMC
for source in programs/java/faulty/*.java; do
    class=faulty.$(basename "$source" .java)
    line=$(grep -n '// fails$' "$source" | cut -d: -f1)
    signature=$(javap -s -public -cp "$classes" "$class" | grep -A1 'public static' | tail -1)
    method=$(javap -public -cp "$classes" "$class" | grep 'public static' | sed 's/(.*//; s/.* //')
    columns=()
    for judge in engine jvm; do
        best "$lazuli" check "$classes" "$class" --no-cache --confirm "$judge" --format json
        found=missed
        if grep -q "\"line\": $line,\?\$" <<<"$said" && grep -q '"verdict": "fails"' <<<"$said"; then found=found; fi
        columns+=("$found $seconds s")
    done
    best "$jbmc" "$class" --function "$class.$method:${signature##* }" --classpath "$classes" "${bounds[@]}" \
        --java-assume-inputs-non-null
    found=missed
    if grep -q "line $line .*: FAILURE" <<<"$said"; then found=found; fi
    printf '%-10s  %4d  %-14s  %-14s  %s\n' "${class#*.}" "$line" "${columns[@]}" "$found $seconds s"
done
