//! Variables that make a program load or run other code, or that are meant only for a plugin's client. The same list as
//! in main/contract/loader-variables.ts (rule: cleared-environment). The tests of both languages read one table of
//! examples.

const LOADERS: &[&str] = &[
    "GLIBC_TUNABLES",
    "GCONV_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_COMPILE_CACHE",
    "NODE_REPL_EXTERNAL_MODULE",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PS4",
    "PROMPT_COMMAND",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONINSPECT",
    "PYTHONWARNINGS",
    "PYTHONBREAKPOINT",
    "PYTHONUSERBASE",
    "PYTHONPYCACHEPREFIX",
    "PYTHONPLATLIBDIR",
    "PERL5LIB",
    "PERL5OPT",
    "PERL5DB",
    "PERLLIB",
    "RUBYLIB",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "CLASSPATH",
    "DOTNET_STARTUP_HOOKS",
    "DOTNET_ADDITIONAL_DEPS",
    "DOTNET_SHARED_STORE",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "ZDOTDIR",
    "PSMODULEPATH",
    "APPDOMAIN_MANAGER_ASM",
    "APPDOMAIN_MANAGER_TYPE",
    "DEVPATH",
    "COR_ENABLE_PROFILING",
    "CORECLR_ENABLE_PROFILING",
    "KUBERNETES_EXEC_INFO",
];
const LOADER_PREFIXES: &[&str] =
    &["LD_", "DYLD_", "BASH_FUNC_", "COR_PROFILER", "CORECLR_PROFILER", "LANYARD_"];

/// Whether a wrapped plugin may get a variable of this name. Ignores case.
pub fn may_reach_plugin(name: &[u8]) -> bool {
    let begins = |prefix: &&str| {
        name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
    };
    !LOADERS.iter().any(|loader| name.eq_ignore_ascii_case(loader.as_bytes()))
        && !LOADER_PREFIXES.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use super::may_reach_plugin;
    use serde_json::Value;
    use std::path::Path;

    #[test]
    fn the_table_of_both_languages_holds() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/wire/tables/loader-variables.json");
        let table: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        for (list, expected) in [("pass", true), ("never", false)] {
            let names = table[list].as_array().unwrap();
            assert!(names.len() > 10);
            for name in names {
                assert_eq!(may_reach_plugin(name.as_str().unwrap().as_bytes()), expected, "{name}");
            }
        }
    }
}
