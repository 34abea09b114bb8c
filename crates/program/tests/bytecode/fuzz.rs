//! Damaged files: whatever bytes a class file, a jar or a JDK's library has, reading it ends, soon, without panic.

use std::time::{Duration, Instant};

use lazuli_program::bytecode::{ClassFile, ClassPath, Jdk};

use crate::bytecode::programs::write_jar;
use crate::bytecode::{Scratch, compile, open};

const CASES: usize = 100_000;

/// A small generator (xorshift), so that every run tries the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Bytes flipped, replaced by telling values, cut off, cut out or repeated.
    fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..1 + self.below(4) {
            let at = self.below(bytes.len());
            match self.below(12) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..(at + 1 + self.below(8)).min(bytes.len()))),
                2 => {
                    let part = bytes[at..(at + 1 + self.below(16)).min(bytes.len())].to_vec();
                    bytes.splice(at..at, part);
                }
                3..=6 => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte = [0, 1, 0x7f, 0x80, 0xff][self.below(5)];
                    }
                }
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << self.below(8);
                    }
                }
            }
        }
    }
}

/// Reads everything there is in a class: is it whole?
fn read_all(bytes: Vec<u8>) -> bool {
    let Ok(class) = ClassFile::read(bytes, "fuzz") else { return false };
    let _ = class.bootstrap(0);
    let mut whole = true;
    for method in &class.methods {
        match method.code() {
            Ok(Some(code)) => {
                let last = code.ops.len() - 1;
                whole &= code.line(last).is_none_or(|l| l > 0) && code.local(last, 0).is_none_or(|l| l.slot == 0);
            }
            Ok(None) => {}
            Err(_) => whole = false,
        }
    }
    whole
}

#[test]
fn damaged_class_files_never_panic() {
    let jdk = open("jdk");
    let own = compile(
        "F.java",
        "import java.util.function.*; class F { record R(int a) {} enum E { A } \
        static int f(int x, String s) { try { switch (x) { case 1: return 2; case 700: return 3; case 9000: return 1; } \
        switch (s) { case \"a\": return 1; case \"b\": return 2; } return new int[x][2].length; } \
        catch (RuntimeException e) { return 1; } finally { x++; } } \
        IntUnaryOperator g(long y) { return z -> (int) (z + y); } String c(int i, double d) { return i + \"x\" + d; } }",
    );
    let library = ["java/util/Optional", "java/util/AbstractMap$SimpleEntry", "java/util/ArrayDeque$DeqIterator"];
    let library = library.iter().map(|name| jdk.require(name).unwrap());
    let own = own.user_classes().iter().map(|name| own.require(name).unwrap());
    let mut seeds: Vec<Vec<u8>> = library.chain(own).map(|class| class.bytes().to_vec()).collect();
    seeds.retain(|bytes| bytes.len() < 8000);
    assert!(seeds.len() >= 5);
    let mut random = Random(0x1234_5678_9abc_def1);
    let start = Instant::now();
    let mut worst = Duration::ZERO;
    let mut whole = 0;
    for case in 0..CASES {
        let mut bytes = seeds[case % seeds.len()].clone();
        random.damage(&mut bytes);
        let began = Instant::now();
        whole += read_all(bytes) as usize;
        worst = worst.max(began.elapsed());
    }
    println!("{CASES} damaged classes in {:?}, the slowest {worst:?}; {whole} were still readable", start.elapsed());
    assert!(worst < Duration::from_secs(2), "one took {worst:?}");
    assert!(whole > CASES / 10 && whole < CASES * 9 / 10, "the damage is too strong or too weak: {whole} survived");
}

#[test]
fn damaged_jars_never_panic() {
    let scratch = Scratch::new();
    let path = scratch.0.join("a.jar");
    write_jar(&path, &compile("A.java", "class A { int f() { return 1; } class B {} }"));
    let seed = std::fs::read(&path).unwrap();
    let mut random = Random(0xfeed_5678_9abc_def1);
    let mut read = 0;
    for _ in 0..2000 {
        let mut bytes = seed.clone();
        random.damage(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        if let Ok(classes) = ClassPath::open(&path, &[]) {
            read += classes.user_classes().iter().filter(|name| classes.find(name).is_ok()).count();
        }
    }
    assert!(read > 100, "only {read} classes of damaged jars could be read");
}

#[test]
fn damaged_libraries_never_panic() {
    use std::io::Read;
    let scratch = Scratch::new();
    let path = scratch.write("lib/modules", "");
    let mut index = Vec::new();
    // The index, and the first of the resources.
    let library = std::fs::File::open(open("jdk").jdk().home.join("lib/modules")).unwrap();
    library.take(6 << 20).read_to_end(&mut index).unwrap();
    let mut random = Random(0xbeef_5678_9abc_def1);
    for case in 0..60 {
        let mut bytes = index.clone();
        match case % 3 {
            0 => bytes[random.below(28)] ^= 1 << random.below(8),
            1 => bytes.truncate(random.below(index.len())),
            _ => (0..200_000).for_each(|_| bytes[28 + random.below(index.len() - 28)] = random.next() as u8),
        }
        std::fs::write(&path, bytes).unwrap();
        let Ok(jdk) = Jdk::at(&scratch.0) else { continue };
        let Ok(classes) = ClassPath::open_with(std::path::Path::new("jdk"), &[], jdk) else { continue };
        for name in ["java/lang/Object", "java/util/TreeMap", "java/util/HashMap", "no/such/Class"] {
            let _ = (classes.find(name), classes.class_number(name));
        }
        for number in (0..classes.numbers().min(40_000)).step_by(7) {
            classes.class_name(number);
        }
    }
}
