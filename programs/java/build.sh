#!/bin/sh
# Compiles all Java programs into a directory: programs/java/build.sh OUT
set -eu
out=$1
cd "$(dirname "$0")"
javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
case $out in /*) ;; *) out=$OLDPWD/$out ;; esac
mkdir -p "$out"
# The interface of invariants and test drivers is compiled along where a program uses it.
find . -name '*.java' -exec "$javac" -g -parameters -Xlint:all -encoding UTF-8 -implicit:class \
    -sourcepath .:../../crates/program/java -d "$out" {} +
for file in instructions/*.jasm; do
    "$java" -cp "$out" assembler.Assemble "$file" "$out"
done
