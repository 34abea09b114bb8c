//! Projects: where Maven and Gradle put what they have compiled, and what it needs.
//!
//! Nothing is executed and nothing fetched: classes are where the build left them, and libraries in the local repository of Maven, as `pom.xml`
//! names them. What cannot be found there is named in a warning, and given by `--cp`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lazuli_program::files;

use super::xml::Element;

/// What of a project is checked.
#[derive(Debug, PartialEq, Eq)]
pub struct Layout {
    /// The classes.
    pub classes: PathBuf,
    /// The libraries that were found.
    pub libraries: Vec<PathBuf>,
    /// What was not found.
    pub warnings: Vec<String>,
}

/// The layout of a project; `None` if the directory is none.
pub fn find(project: &Path, repository: Option<&Path>) -> Result<Option<Layout>, String> {
    let has = |name: &str| project.join(name).is_file();
    if has("pom.xml") {
        return maven(project, repository).map(Some);
    }
    if ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"].iter().any(|name| has(name)) {
        return gradle(project).map(Some);
    }
    Ok(None)
}

/// Where Maven keeps what it has fetched.
pub fn local_repository() -> Option<PathBuf> {
    std::env::var_os("HOME").map(|home| Path::new(&home).join(".m2/repository"))
}

fn compiled(project: &Path, classes: &str, command: &str) -> Result<PathBuf, String> {
    let path = project.join(classes);
    match has_class(&path, 0) {
        true => Ok(path),
        false => Err(format!(
            "{}: nothing is compiled, there are no classes in {classes}: run `{command}` first",
            project.display()
        )),
    }
}

/// Directories are looked into to this depth.
const MAX_DEPTH: usize = 40;

fn has_class(directory: &Path, depth: usize) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else { return false };
    let is_class = |path: &Path| match path.is_dir() {
        true => depth < MAX_DEPTH && has_class(path, depth + 1),
        false => path.extension().is_some_and(|extension| extension == "class"),
    };
    entries.flatten().any(|entry| is_class(&entry.path()))
}

fn gradle(project: &Path) -> Result<Layout, String> {
    let classes = compiled(project, "build/classes/java/main", "gradle classes")?;
    let text = ["build.gradle", "build.gradle.kts"].iter().find_map(|name| read(&project.join(name)).ok());
    let is_dependent = text.is_some_and(|text| text.contains("implementation") || text.contains("api("));
    let warning = "the libraries of a Gradle build are not looked for: they are given by --cp";
    let warnings = is_dependent.then(|| warning.to_string()).into_iter().collect();
    Ok(Layout { classes, libraries: Vec::new(), warnings })
}

fn maven(project: &Path, repository: Option<&Path>) -> Result<Layout, String> {
    let pom = Pom::read(&project.join("pom.xml"))?;
    if !pom.modules.is_empty() && !project.join("src/main/java").is_dir() {
        return Err(format!(
            "{}: this project has only modules; check one of them: {}",
            project.display(),
            pom.modules.join(", ")
        ));
    }
    let classes = compiled(project, "target/classes", "mvn compile")?;
    let mut search = Search { repository, libraries: Vec::new(), known: BTreeSet::new(), warnings: Vec::new() };
    search.add(&pom, 0);
    Ok(Layout { classes, libraries: search.libraries, warnings: search.warnings })
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = files::read(path, files::MAX_TEXT)
        .map_err(|e| format!("cannot read {}: {}", path.display(), files::why(&e)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What is needed of a `pom.xml`.
struct Pom {
    properties: BTreeMap<String, String>,
    dependencies: Vec<Dependency>,
    modules: Vec<String>,
}

#[derive(Clone)]
struct Dependency {
    group: String,
    artifact: String,
    version: Option<String>,
    scope: String,
    optional: bool,
    kind: String,
}

impl Pom {
    fn read(path: &Path) -> Result<Pom, String> {
        let project = Element::parse(&read(path)?).map_err(|why| format!("{}: {why}", path.display()))?;
        let parent = project.child("parent");
        let own = |name: &str| project.text(name).or_else(|| parent.and_then(|parent| parent.text(name)));
        let mut properties = BTreeMap::new();
        for (name, key) in [("groupId", "project.groupId"), ("version", "project.version")] {
            properties.extend(own(name).map(|value| (key.to_string(), value)));
        }
        for property in project.child("properties").into_iter().flat_map(|element| &element.children) {
            properties.insert(property.name.clone(), property.content.trim().to_string());
        }
        let list = |of: &Element| -> Vec<Dependency> {
            let all = of.child("dependencies").into_iter().flat_map(|element| &element.children);
            all.filter_map(Dependency::of).collect()
        };
        let managed = project.child("dependencyManagement").map(list).unwrap_or_default();
        let mut dependencies = list(&project);
        for dependency in dependencies.iter_mut().filter(|dependency| dependency.version.is_none()) {
            let is_same =
                |known: &&Dependency| (&known.group, &known.artifact) == (&dependency.group, &dependency.artifact);
            dependency.version = managed.iter().find(is_same).and_then(|known| known.version.clone());
        }
        let modules = project.child("modules").into_iter().flat_map(|element| &element.children);
        let modules = modules.map(|module| module.content.trim().to_string()).collect();
        Ok(Pom { properties, dependencies, modules })
    }

    /// A text with the values of its properties.
    fn filled(&self, text: &str) -> String {
        let mut filled = text.to_string();
        for _ in 0..8 {
            let Some(start) = filled.find("${") else { break };
            let Some(end) = filled[start..].find('}') else { break };
            let name = &filled[start + 2..start + end];
            let Some(value) = self.properties.get(name) else { break };
            filled = format!("{}{value}{}", &filled[..start], &filled[start + end + 1..]);
        }
        filled
    }
}

impl Dependency {
    fn of(element: &Element) -> Option<Dependency> {
        Some(Dependency {
            group: element.text("groupId")?,
            artifact: element.text("artifactId")?,
            version: element.text("version"),
            scope: element.text("scope").unwrap_or_else(|| "compile".into()),
            optional: element.text("optional").is_some_and(|text| text == "true"),
            kind: element.text("type").unwrap_or_else(|| "jar".into()),
        })
    }
}

/// Libraries of libraries are looked for to this depth.
const MAX_LIBRARIES: usize = 12;

struct Search<'a> {
    repository: Option<&'a Path>,
    libraries: Vec<PathBuf>,
    /// Of two versions the first counts, which is the nearest.
    known: BTreeSet<(String, String)>,
    warnings: Vec<String>,
}

impl Search<'_> {
    fn add(&mut self, pom: &Pom, depth: usize) {
        let mut poms = Vec::new();
        for dependency in &pom.dependencies {
            let is_used = match depth {
                0 => dependency.scope != "test",
                _ => matches!(dependency.scope.as_str(), "compile" | "runtime") && !dependency.optional,
            };
            let (group, artifact) = (pom.filled(&dependency.group), pom.filled(&dependency.artifact));
            let is_new = is_used && dependency.kind == "jar" && self.known.insert((group.clone(), artifact.clone()));
            if !is_new {
                continue;
            }
            let version = dependency.version.as_ref().map(|version| pom.filled(version));
            match self.jar(&group, &artifact, version.as_deref()) {
                Some((jar, beside)) => {
                    self.libraries.push(jar);
                    poms.extend(Pom::read(&beside).ok());
                }
                None => {
                    let version = version.unwrap_or_else(|| "whose version is not in pom.xml".into());
                    let place = "is not in the local repository: what needs it is unknown, unless --cp has it";
                    self.warnings.push(format!("{group}:{artifact}:{version} {place}"));
                }
            }
        }
        if depth < MAX_LIBRARIES {
            poms.iter().for_each(|pom| self.add(pom, depth + 1));
        }
    }

    /// The jar, and its `pom.xml`.
    fn jar(&self, group: &str, artifact: &str, version: Option<&str>) -> Option<(PathBuf, PathBuf)> {
        let version = version.filter(|version| !version.contains(['$', '[', '(', '/', '\\']))?;
        let is_plain = |text: &str| !text.contains(['/', '\\']) && !text.contains("..");
        if !is_plain(group) || !is_plain(artifact) || !is_plain(version) {
            return None;
        }
        let directory = self.repository?.join(group.replace('.', "/")).join(artifact).join(version);
        let file = |ending: &str| directory.join(format!("{artifact}-{version}.{ending}"));
        let jar = file("jar");
        jar.is_file().then(|| (jar, file("pom")))
    }
}
