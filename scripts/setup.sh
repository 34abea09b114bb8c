# Sourced before every build: makes sure that there are a Rust toolchain, a C++ compiler, Z3's library and a JDK.
# With root (or passwordless sudo) on Debian or Ubuntu it installs what is missing; without, it takes Z3 from PyPI.

Z3_VERSION=4.15.4.0

missing() { ! command -v "$1" >/dev/null 2>&1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif sudo -n true 2>/dev/null; then sudo "$@"; else return 1; fi
}

apt_install() {
  missing apt-get && return 1
  as_root apt-get update -qq >/dev/null && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

fail() { echo "setup: $*" >&2; return 1; }

if missing c++ || missing pkg-config; then
  apt_install g++ pkg-config || { fail "a C++ compiler and pkg-config are needed (Debian: g++ pkg-config)"; return 1; }
fi

if missing cargo; then
  [ -f "$HOME/.cargo/env" ] && . "$HOME/.cargo/env"
fi
if missing cargo; then
  { apt_install rustup && rustup default stable; } ||
    { fail "Rust 1.88 or newer is needed, by rustup or by your distribution"; return 1; }
fi
rust_version=$(cargo --version | sed -E 's/^cargo 1\.([0-9]+).*/\1/')
if [ "$rust_version" -lt 88 ]; then
  fail "Rust 1.88 or newer is needed, this is $(cargo --version)"
  return 1
fi

# The Java front end reads a JDK, and the tests compile Java programs and run them.
if missing javac && [ ! -x "${JAVA_HOME:-}/bin/javac" ]; then
  apt_install openjdk-17-jdk-headless || apt_install default-jdk-headless ||
    fail "no JDK: Java programs cannot be executed, and their tests will fail (Debian: default-jdk-headless)" || true
fi

# JUnit runs the tests that `lazuli test` has written, and the libraries are some of the classes that it writes them of; without them those
# tests say so.
[ -e /usr/share/java/junit-jupiter-engine.jar ] || { apt_install junit5 || true; }
[ -e /usr/share/java/joda-time.jar ] || { apt_install libcommons-lang3-java libcommons-collections4-java libjoda-time-java || true; }

# MONA decides the shapes of --invariants-by mso; without it that technique says so.
missing mona && { apt_install mona || true; }
# Coverage is compared with JaCoCo, where that can be had.
[ -e /usr/share/java/org.jacoco.agent.jar ] || apt_install libjacoco-java || true

# Z3: the system's library, or the one inside PyPI's z3-solver, unpacked below target/.
if ! pkg-config --exists z3 2>/dev/null && [ ! -e /usr/include/z3.h ]; then
  if ! apt_install libz3-dev; then
    z3_dir="$PWD/target/z3"
    if [ ! -e "$z3_dir/z3/lib/libz3.so" ]; then
      missing python3 && { fail "Z3 is needed (Debian: libz3-dev; or python3 with pip)"; return 1; }
      mkdir -p "$z3_dir" &&
        python3 -m pip download --quiet --no-deps --dest "$z3_dir" z3-solver=="$Z3_VERSION" &&
        python3 -m zipfile -e "$z3_dir"/z3_solver-*.whl "$z3_dir" || { fail "Z3 could not be fetched from PyPI"; return 1; }
    fi
    export Z3_LIBRARY_PATH_OVERRIDE="$z3_dir/z3/lib"
    export Z3_SYS_Z3_VERSION="$Z3_VERSION"
    # So that the built command finds the library without any setting.
    export RUSTFLAGS="${RUSTFLAGS:-} -C link-arg=-Wl,-rpath,$z3_dir/z3/lib"
  fi
fi
