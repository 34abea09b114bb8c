#!/usr/bin/env bash
# The demonstration: what Lazuli finds in a few small programs.
set -euo pipefail
cd "$(dirname "$0")/.."
lazuli=${CARGO_TARGET_DIR:-target}/release/lazuli

# A violated property is one of the things to be shown (exit code 1), and so is what an answer has left out (3).
say() {
  printf '\n\033[1m$ lazuli %s\033[0m\n' "$*"
  local code=0
  "$lazuli" "$@" || code=$?
  [ $code -eq 0 ] || [ $code -eq 1 ] || [ $code -eq 3 ]
}

echo "Swapping the data of two objects: the two paths, each with a condition and an input that drives the program there."
say explore programs/pose/swap.pose --entry Sample.swap

echo
echo "The same method under every heap model: what enumerating aliases costs."
say compare programs/pose/swap.pose --entry Sample.swap --heaps lazy,lazier,lazier#,uber-lazy,summary,pose

echo
echo "Inserting into an AVL tree of unknown shape."
say compare programs/pose/avl_insertElem.pose --heaps lazier#,pose

echo
echo "A property that holds unless two inputs are one object (exit code 1, and the input that shows it)."
say explore programs/pose/alias.pose

if command -v javac >/dev/null; then
  echo
  echo "Java: an assertion that two parameters for one object violate."
  say explore programs/java/aliasing/Cells.java --entry Cells.twoWritesFails
  echo
  echo "The JDK's own library: sorting an array of up to three unknown numbers."
  say explore jdk --entry 'java.util.Arrays.sort(int[])' --max-array 3 --traces brief
  echo
  echo "The same library, on valid inputs only: a file says what a red-black tree is."
  say explore jdk --entry 'java.util.TreeMap.put(Object,Object)' --types Object=java.lang.Integer \
    --n java.util.TreeMap.Entry=2 --invariants programs/java/jdk/TreeMap.hex --traces brief
fi

echo
echo "More: target/release/lazuli --help, and lazuli tables pose for the published numbers beside ours."
