//! The system properties: those of the JDK that is read, on a Linux machine in the locale `en_US` with UTF-8. What belongs to one user or one
//! machine is there, but its text is not told: a path that looks into it stops.

/// What a property is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Text(&'static str),
    /// The directory of the JDK, and something below it.
    Home(&'static str),
    /// A line of the JDK's `release` file.
    Release(&'static str),
    /// Not null, but its text is not told.
    Untold,
}

/// What the platform gives, by the name of the constant that says where it stands.
pub(crate) const PLATFORM: [(&str, &str, Value); 21] = [
    ("_display_language_NDX", "user.language", Value::Text("en")),
    ("_display_country_NDX", "user.country", Value::Text("US")),
    ("_file_separator_NDX", "file.separator", Value::Text("/")),
    ("_path_separator_NDX", "path.separator", Value::Text(":")),
    ("_line_separator_NDX", "line.separator", Value::Text("\n")),
    ("_file_encoding_NDX", "file.encoding", Value::Text("UTF-8")),
    ("_native_encoding_NDX", "native.encoding", Value::Text("UTF-8")),
    ("_sun_jnu_encoding_NDX", "sun.jnu.encoding", Value::Text("UTF-8")),
    ("_os_name_NDX", "os.name", Value::Text("Linux")),
    ("_os_arch_NDX", "os.arch", Value::Text("amd64")),
    ("_os_version_NDX", "os.version", Value::Untold),
    ("_java_io_tmpdir_NDX", "java.io.tmpdir", Value::Text("/tmp")),
    ("_user_dir_NDX", "user.dir", Value::Untold),
    ("_user_home_NDX", "user.home", Value::Untold),
    ("_user_name_NDX", "user.name", Value::Untold),
    ("_sun_arch_data_model_NDX", "sun.arch.data.model", Value::Text("64")),
    ("_sun_cpu_endian_NDX", "sun.cpu.endian", Value::Text("little")),
    ("_sun_io_unicode_encoding_NDX", "sun.io.unicode.encoding", Value::Text("UnicodeLittle")),
    ("_sun_arch_abi_NDX", "sun.arch.abi", Value::Text("")),
    ("_sun_cpu_isalist_NDX", "sun.cpu.isalist", Value::Text("")),
    ("_sun_os_patch_level_NDX", "sun.os.patch.level", Value::Text("unknown")),
];

/// What the virtual machine gives.
pub(crate) const MACHINE: [(&str, Value); 17] = [
    ("java.home", Value::Home("")),
    ("sun.boot.library.path", Value::Home("/lib")),
    ("java.library.path", Value::Untold),
    ("java.class.path", Value::Untold),
    ("java.vm.specification.name", Value::Text("Java Virtual Machine Specification")),
    ("java.vm.specification.vendor", Value::Text("Oracle Corporation")),
    ("java.vm.specification.version", Value::Release("JAVA_VERSION")),
    ("java.vm.version", Value::Untold),
    ("java.vm.name", Value::Text("OpenJDK 64-Bit Server VM")),
    ("java.vm.vendor", Value::Untold),
    ("java.vm.info", Value::Untold),
    ("java.vm.compressedOopsMode", Value::Untold),
    ("jdk.debug", Value::Text("release")),
    ("sun.management.compiler", Value::Untold),
    ("sun.java.launcher", Value::Text("SUN_STANDARD")),
    ("sun.java.command", Value::Untold),
    ("user.timezone", Value::Text("UTC")),
];

/// Properties that the JDK's own code sets from its constants: to know these the machine is started.
const OF_THE_JDK: [&str; 15] = [
    "java.version",
    "java.version.date",
    "java.runtime.version",
    "java.runtime.name",
    "java.class.version",
    "java.specification.version",
    "java.specification.name",
    "java.specification.vendor",
    "java.specification.maintenance.version",
    "java.vendor",
    "java.vendor.url",
    "java.vendor.url.bug",
    "java.vendor.version",
    "java.vm.specification.maintenance.version",
    "java.vm.specification.version",
];

/// What is known of a property before the machine has been started.
pub(crate) enum Beforehand {
    Value(Value),
    /// There is no such property.
    None,
    /// The machine must be started.
    Unknown,
}

/// The value of a property that nobody has set, as far as it is known without starting the machine. Where the standard streams are not a
/// terminal their encodings are not set, and what is empty on this platform is left out by the JDK's own code: that is left to it.
pub(crate) fn beforehand(name: &str) -> Beforehand {
    let is_left_out = matches!(name, "sun.arch.abi" | "sun.cpu.isalist" | "sun.os.patch.level" | "file.encoding");
    if is_left_out || name.ends_with(".encoding") || OF_THE_JDK.contains(&name) {
        return Beforehand::Unknown;
    }
    let platform = PLATFORM.iter().find(|(_, property, _)| *property == name).map(|(_, _, value)| *value);
    match platform.or_else(|| MACHINE.iter().find(|(property, _)| *property == name).map(|(_, value)| *value)) {
        Some(value) => Beforehand::Value(value),
        None => Beforehand::None,
    }
}
