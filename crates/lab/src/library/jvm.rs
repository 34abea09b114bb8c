//! Compiling the calls, and running them on the JVM.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lazuli_program::bytecode::Jdk;
use rustc_hash::FxHashMap;

use super::source::{self, Call};

const SHOW: (&str, &str) = ("Show.java", include_str!("../../java/lazuli/audit/Show.java"));
const RUN: (&str, &str) = ("RunCalls.java", include_str!("../../java/lazuli/audit/RunCalls.java"));

/// What a call came to on the JVM.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Returned(String),
    Threw(String),
    /// It takes too long, or too much memory: there is nothing to compare.
    Endless,
    Large,
}

/// Where the JDK is, what the calls need, and where their classes are put.
pub struct Machine<'a> {
    pub jdk: &'a Jdk,
    pub jar: Option<&'a Path>,
    pub directory: &'a Path,
}

impl Machine<'_> {
    fn class_path(&self, classes: &Path) -> Result<std::ffi::OsString, String> {
        let paths = [Some(classes), self.jar].into_iter().flatten();
        std::env::join_paths(paths).map_err(|e| e.to_string())
    }

    pub fn classes(&self) -> PathBuf {
        self.directory.join("classes")
    }

    /// Compiles the calls; takes out those that the compiler refuses.
    pub fn compile(&self, calls: &mut [Option<Call>]) -> Result<(), String> {
        // A refusal may hide others, in later phases of the compiler.
        for _ in 0..8 {
            let refused = self.compile_once(calls)?;
            if refused.is_empty() {
                return Ok(());
            }
            for number in refused {
                calls[number] = None;
            }
        }
        Err("javac refuses some call every time".into())
    }

    fn compile_once(&self, calls: &[Option<Call>]) -> Result<BTreeSet<usize>, String> {
        let sources = self.directory.join("sources");
        let _ = std::fs::remove_dir_all(&sources);
        let cannot = |e: std::io::Error| format!("cannot write {}: {e}", sources.display());
        std::fs::create_dir_all(&sources).map_err(cannot)?;
        let mut files = source::write(calls);
        files.extend([SHOW, RUN].map(|(name, text)| (name.to_string(), text.to_string())));
        let mut command = Command::new(self.jdk.javac().map_err(|e| e.to_string())?);
        command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Duser.language=en"]);
        command.args(["-g", "-proc:none", "-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-Xmaxerrs", "100000"]);
        command.arg("-cp").arg(self.class_path(&self.classes())?).arg("-d").arg(self.classes());
        for (name, text) in &files {
            std::fs::write(sources.join(name), text).map_err(cannot)?;
            command.arg(sources.join(name));
        }
        let output = command.stdin(Stdio::null()).output().map_err(|e| format!("cannot run javac: {e}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let refused: BTreeSet<usize> = said.lines().filter_map(refused).collect();
        match output.status.success() || !refused.is_empty() {
            true => Ok(refused),
            false => Err(format!("javac cannot compile the calls:\n{said}")),
        }
    }

    /// Runs the calls of these numbers, forwards or backwards.
    pub fn run(&self, numbers: &[usize], backwards: bool) -> Result<FxHashMap<String, Answer>, String> {
        let mut command = Command::new(self.jdk.home.join("bin/java"));
        command.args(["-Xmx600m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]);
        // The last bits of the intrinsics of Math are the processor's.
        command.args(["-XX:+UnlockDiagnosticVMOptions", "-XX:-UseLibmIntrinsic"]);
        command.args(["-Duser.language=en", "-Duser.country=US", "-Duser.timezone=UTC", "-Dfile.encoding=UTF-8"]);
        command.arg("-cp").arg(self.class_path(&self.classes())?).arg("lazuli.audit.RunCalls");
        // Whatever a call may write stays here.
        command.current_dir(self.directory);
        if backwards {
            command.arg("backwards");
        }
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|e| format!("cannot run the JVM: {e}"))?;
        let mut input = child.stdin.take().expect("it was piped");
        let names: Vec<String> = numbers.iter().map(|number| source::name(*number)).collect();
        let text = names.join("\n") + "\n";
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child.wait_with_output().map_err(|e| e.to_string())?;
        let written = writer.join().expect("writing does not panic");
        written.map_err(|e| format!("the JVM does not read the calls: {e}"))?;
        let answers: FxHashMap<String, Answer> =
            String::from_utf8_lossy(&output.stdout).lines().filter_map(answer).collect();
        match names.iter().all(|name| answers.contains_key(name)) {
            true => Ok(answers),
            false => Err(format!("the JVM gave no answer:\n{}", String::from_utf8_lossy(&output.stderr))),
        }
    }
}

/// The call that a message of the compiler is about.
fn refused(line: &str) -> Option<usize> {
    let (place, _) = line.split_once(": error:")?;
    let (file, line) = place.rsplit_once(':')?;
    let (_, chunk) = file.strip_suffix(".java")?.rsplit_once("Calls")?;
    source::call_at(chunk.parse().ok()?, line.parse().ok()?)
}

fn answer(line: &str) -> Option<(String, Answer)> {
    let mut parts = line.splitn(3, '\t');
    let (call, what, text) = (parts.next()?, parts.next()?, parts.next()?);
    let answer = match what {
        "returned" => Answer::Returned(text.into()),
        "threw" => Answer::Threw(text.into()),
        "hangs" => Answer::Endless,
        "large" => Answer::Large,
        _ => return None,
    };
    Some((call.into(), answer))
}
