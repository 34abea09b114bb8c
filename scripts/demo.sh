#!/usr/bin/env bash
# The demonstration: a bug in a small shop, the test that shows it, and the same method under every heap model.
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

# Runs the tests below a directory: by JUnit, where it is installed. Otherwise they have been run when they were written.
run_tests() {
  local sources=$1 classes=$2 jars=/usr/share/java
  if [ ! -e $jars/junit-jupiter-engine.jar ]; then
    echo "JUnit is not installed (Debian: junit5): the test above was run once, before it was written."
    return
  fi
  local path=$classes
  for jar in junit-jupiter-{api,engine} junit-platform-{console,launcher,engine,commons,reporting} opentest4j{,-reporting-events,-reporting-schema} apiguardian-api picocli; do
    [ ! -e "$jars/$jar.jar" ] || path=$path:$jars/$jar.jar
  done
  javac -g -d "$classes" programs/java/shop/*.java
  javac -Xlint:all,-path,-classfile -cp "$path" -d "$classes" "$sources"/shop/*.java
  printf '\n\033[1m$ java -ea org.junit.platform.console.ConsoleLauncher --scan-class-path\033[0m\n'
  java -ea -cp "$path" org.junit.platform.console.ConsoleLauncher --disable-banner --details tree --disable-ansi-colors --scan-class-path "$classes" |
    grep -E 'Cart|_when|tests (successful|failed)'
}

if command -v javac >/dev/null; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
  echo "A small shop: a cart takes over what is in another one. Is there an input on which that goes wrong?"
  say check programs/java/shop Cart.takeOver --no-cache
  echo
  echo "The same as a JUnit test, which was run on the JVM before it was written:"
  say test programs/java/shop Cart.takeOver --failing-only --out "$out/tests"
  printf '\n\033[1m$ cat %s\033[0m\n' shop/CartTest.java
  cat "$out/tests/shop/CartTest.java"
  mkdir "$out/classes"
  run_tests "$out/tests" "$out/classes"
  echo
  echo "The same method under every heap model: what enumerating aliases costs."
  say compare programs/java/shop/Cart.java --entry Cart.takeOver --heaps lazy,lazier,lazier#,uber-lazy,summary,pose
else
  echo "There is no JDK: the shop is left out."
  echo "A property that holds unless two inputs are one object (exit code 1, and the input that shows it)."
  say explore programs/pose/alias.pose
fi

echo
echo "More: target/release/lazuli --help, and lazuli tables pose for the published numbers beside ours."
