//! The program, and what its inputs may be.

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use lazuli::{Environment, IdentityHash, Inputs, Source, Varying};
use lazuli_program::Notation;
use lazuli_program::frontend::java::is_java;

#[derive(ClapArgs)]
pub struct Subject {
    /// The program: a file in the tiny object language (.pose, .txt) or in Javalite (.jvl); or Java: a .class, .jar or .java file,
    /// a directory of classes, or the word jdk for the JDK's own library
    pub program: PathBuf,
    /// The method to execute; by default the program's main expression or only method
    #[arg(long, value_name = "CLASS.METHOD")]
    pub entry: Option<String>,
    /// The notation of a program in the tiny object language; otherwise each file says it itself
    #[arg(long, value_enum, value_name = "NOTATION")]
    pub syntax: Option<Syntax>,
    #[command(flatten, next_help_heading = "Java")]
    pub java: JavaArgs,
    /// The static fields of this class are inputs, once its initialiser has run
    #[arg(long, value_name = "CLASS", help_heading = "Java")]
    pub symbolic_statics: Vec<String>,
    /// What Object.hashCode gives: 1, 2, … in the order of the questions, or any number
    #[arg(long, value_enum, default_value = "numbered", value_name = "WHAT", help_heading = "Java")]
    pub identity_hash: Hashes,
    /// What differs from run to run (the time, unseeded random numbers) stops the path that depends on it, or is an input
    #[arg(long, value_enum, default_value = "stop", value_name = "WHAT", help_heading = "Java")]
    pub machine: Machine,
}

/// Where the classes of a program in Java are, and what its inputs may be.
#[derive(ClapArgs, Clone)]
pub struct JavaArgs {
    /// Further directories, jars and sources, separated by colons
    #[arg(long = "cp", value_name = "PATHS")]
    pub class_path: Option<String>,
    /// Inputs are what programs can make, or all that fits the declared types
    #[arg(long, value_enum, default_value = "valid", value_name = "WHICH")]
    pub inputs: InputKind,
    /// The classes that inputs of a type or field have, such as TreeMap.Entry.key=java.lang.Integer, or several with |
    #[arg(long, value_name = "WHAT=CLASSES")]
    pub types: Vec<String>,
    /// The greatest length of input strings
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub max_string: u32,
    /// The greatest length of input arrays
    #[arg(long, default_value_t = 8, value_name = "N")]
    pub max_array: u32,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Syntax {
    /// The public prototype's: class A extends B, o.m[x], if c then a else b
    Prototype,
    /// That of the paper's Figure 6: class A : B, o.m(x), if c a b
    Figure6,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum InputKind {
    /// What generic types hold is respected, and what is known of the JDK's classes holds
    Valid,
    Any,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Hashes {
    Numbered,
    Unknown,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Machine {
    Stop,
    Unknown,
}

/// Arrays of classes of which an input can be only one: what it may hold would depend on which of them it is.
fn arrays_alike(classes: &[String]) -> Option<String> {
    let holds_references = |class: &&str| class.starts_with("[L") || class.starts_with("[[");
    let holds_bytes = |class: &&str| matches!(*class, "[B" | "[Z");
    let names = || classes.iter().map(String::as_str);
    let kinds: [Vec<&str>; 2] = [names().filter(holds_references).collect(), names().filter(holds_bytes).collect()];
    kinds.iter().find(|alike| alike.len() > 1).map(|alike| alike.join(" and "))
}

impl Subject {
    /// A target of which several methods are explored, each as is usual.
    pub fn of_target(target: &Path, java: &JavaArgs) -> Subject {
        Subject {
            program: target.to_path_buf(),
            entry: None,
            syntax: None,
            java: java.clone(),
            symbolic_statics: Vec::new(),
            identity_hash: Hashes::Numbered,
            machine: Machine::Stop,
        }
    }

    /// Where the program comes from.
    pub fn source(&self) -> Result<Source, String> {
        let mut types = Vec::new();
        for text in &self.java.types {
            let Some((of, classes)) = text.split_once('=') else {
                return Err(format!("--types {text}: TYPE=CLASS or FIELD=CLASS is wanted"));
            };
            let classes: Vec<String> = classes.split('|').map(str::to_string).collect();
            if let Some(alike) = arrays_alike(&classes) {
                return Err(format!("--types {text}: {alike} have elements of one kind; name one of them"));
            }
            types.push((of.to_string(), classes));
        }
        let class_path = self.java.class_path.iter().flat_map(|paths| paths.split(':')).filter(|path| !path.is_empty());
        Ok(Source {
            entry: self.entry.clone().filter(|_| is_java(&self.program)),
            class_path: class_path.map(PathBuf::from).collect(),
            inputs: match self.java.inputs {
                InputKind::Valid => Inputs::Valid,
                InputKind::Any => Inputs::Any,
            },
            types,
            max_string: self.java.max_string,
            max_array: self.java.max_array,
            symbolic_statics: self.symbolic_statics.clone(),
            notation: self.syntax.map(|syntax| match syntax {
                Syntax::Prototype => Notation::Prototype,
                Syntax::Figure6 => Notation::Figure6,
            }),
            ..Source::new(&self.program)
        })
    }

    /// Adds libraries behind what the command line has.
    pub fn add_libraries(&mut self, libraries: &[PathBuf]) -> Result<(), String> {
        let mut class_path = self.java.class_path.take().unwrap_or_default();
        for library in libraries {
            let path = library.to_str().filter(|path| !path.contains(':'));
            let path = path.ok_or_else(|| format!("{} cannot be an entry of a class path", library.display()))?;
            class_path += &format!(":{path}");
        }
        self.java.class_path = Some(class_path);
        Ok(())
    }

    /// What is taken for granted of the machine under the program.
    pub fn environment(&self) -> Environment {
        Environment {
            identity_hash: match self.identity_hash {
                Hashes::Numbered => IdentityHash::Numbered,
                Hashes::Unknown => IdentityHash::Unknown,
            },
            varying: match self.machine {
                Machine::Stop => Varying::Stops,
                Machine::Unknown => Varying::Unknown,
            },
        }
    }

    /// The entry of a program in one of the tiny languages; one in Java is resolved when it is read.
    pub fn tiny_entry(&self) -> Option<String> {
        self.entry.clone().filter(|_| !is_java(&self.program))
    }
}
