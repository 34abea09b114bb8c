//! The helper's process: started with nothing that it does not need, spoken to by a pipe, killed when it is dropped.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;

use lazuli_engine::observe::{LOOKED_INTO, MOST_NODES, NOT_LOOKED_INTO, OF_THROWABLE};

use super::bench::Event;
use super::helper::EXPORTS;
use super::reply::{self, Message};
use super::request::Bytes;

/// What the program may use of memory.
const MEMORY: &str = "-Xmx512m";

/// The machine as the engine takes it to be: see the assumptions of a verdict.
const OPTIONS: [&str; 16] = [
    MEMORY,
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-UseLibmIntrinsic",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    "-Dstdout.encoding=UTF-8",
    "-Dstderr.encoding=UTF-8",
    "-Djava.awt.headless=true",
    "-Djava.io.tmpdir=.",
];

/// The exit code of a JVM that has run out of memory, by the option above.
pub const OUT_OF_MEMORY: i32 = 3;

pub struct Process {
    child: Child,
    input: BufWriter<ChildStdin>,
}

impl Process {
    /// Starts it. What it says comes as events with this number.
    pub fn start(
        home: &Path,
        classes: &Path,
        directory: &Path,
        number: u32,
        events: Sender<Event>,
    ) -> Result<Process, String> {
        let java = home.join("bin/java");
        let cannot = |error: std::io::Error| format!("cannot start {}: {error}", java.display());
        let complaints = File::create(directory.join("complaints")).map_err(cannot)?;
        let mut command = Command::new(&java);
        command.env_clear().current_dir(directory).args(OPTIONS).args(EXPORTS);
        command.arg("-cp").arg(classes).arg("lazuli.judge.Judge");
        // A terminal's Ctrl-C is meant for us: it would look as if the program had ended its machine.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints).spawn();
        let mut child = child.map_err(cannot)?;
        let mut input = BufWriter::with_capacity(1 << 16, child.stdin.take().expect("it was piped"));
        let output = child.stdout.take().expect("it was piped");
        std::thread::spawn(move || {
            let mut output = BufReader::with_capacity(1 << 16, output);
            loop {
                let message = reply::read(&mut output);
                let is_last = matches!(message, Message::Ended(_));
                if events.send(Event::Said(number, message)).is_err() || is_last {
                    return;
                }
            }
        });
        let begun = input.write_all(&rules()).and_then(|()| input.flush());
        let mut process = Process { child, input };
        begun.map_err(|_| process.complaints(directory))?;
        Ok(process)
    }

    /// A message: its kind, its length, its bytes.
    pub fn send(&mut self, kind: u8, body: &[&[u8]]) -> std::io::Result<()> {
        let length: usize = body.iter().map(|part| part.len()).sum();
        self.input.write_all(&[kind])?;
        self.input.write_all(&(length as u32).to_be_bytes())?;
        body.iter().try_for_each(|part| self.input.write_all(part))
    }

    pub fn flush(&mut self) -> std::io::Result<()> {
        self.input.flush()
    }

    /// How it has ended; it is ended if it has not.
    pub fn end(&mut self) -> Option<i32> {
        // A process that closes its pipe is about to end by itself.
        for _ in 0..20 {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.code(),
                _ => std::thread::sleep(std::time::Duration::from_millis(5)),
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        None
    }

    /// What the virtual machine itself has complained about.
    pub fn complaints(&mut self, directory: &Path) -> String {
        self.end();
        let mut text = Vec::new();
        let file = File::open(directory.join("complaints"));
        let _ = file.and_then(|file| file.take(2_000).read_to_end(&mut text));
        let text = String::from_utf8_lossy(&text);
        match text.trim() {
            "" => "the JVM ended without a word".into(),
            text => format!("the JVM ended: {text}"),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Which objects are looked into.
fn rules() -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    bytes.texts(LOOKED_INTO.into_iter());
    bytes.texts(NOT_LOOKED_INTO.into_iter());
    bytes.texts(OF_THROWABLE.into_iter());
    bytes.number(MOST_NODES);
    bytes.0
}
