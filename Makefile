# `make run` shows what Lazuli does; `make test` checks all of it. Each does its own set-up on a fresh machine.

.PHONY: run test test-long build bench bless clean

# Z3's library: Debian's package where it is or can be installed, otherwise the one inside PyPI's z3-solver.
ENV := . scripts/setup.sh &&

# With the points at which a test plants the papers' errors, one by one, to see that the agreement tests bite: they do nothing unless
# that test asks, and one build is enough.
TEST := cargo test --workspace --features lazuli-tests/planted-errors

build:
	$(ENV) cargo build --release --bin lazuli

run: build
	$(ENV) scripts/demo.sh

test:
	$(ENV) cargo fmt --all --check
	$(ENV) cargo clippy --workspace --all-targets -- -D warnings
	$(ENV) $(TEST)

# The tests with ten times as many random programs, and random terms from another seed every time.
test-long:
	$(ENV) LAZULI_LONG=1 PROPTEST_CASES=20000 $(TEST)

# Writes the golden files anew; read the difference before committing it.
bless:
	$(ENV) LAZULI_BLESS=1 $(TEST) --test all -- golden everyday_programs

bench:
	$(ENV) cargo bench -p lazuli-logic --bench words
	$(ENV) cargo bench -p lazuli-cli --bench pose
	$(ENV) cargo bench -p lazuli-cli --bench summaries
	$(ENV) cargo bench -p lazuli-cli --bench java
	$(ENV) cargo bench -p lazuli-cli --bench hex
	$(ENV) cargo bench -p lazuli-cli --bench scale
	$(ENV) cargo run --release --bin lazuli -- tables summaries

clean:
	cargo clean
