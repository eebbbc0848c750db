use crate::environment::is_meant;
use crate::frames::RunOrder;
use crate::loader_variables::may_reach_plugin;
use std::env;
use std::ffi::OsString;

/// The variables of this process that the order passes on. Windows takes `Path` and `PATH` for one, and a variable of
/// the order wins (rule: cleared-environment).
pub fn passed_on(order: &RunOrder) -> impl Iterator<Item = (OsString, OsString)> {
    env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|name| passes(order, name)))
}

fn passes(order: &RunOrder, name: &str) -> bool {
    let upper = name.to_uppercase();
    let is_asked_for = |pattern: &String| pattern == "*" || is_meant(pattern, name);
    // `=C:` is cmd.exe's own note of a drive's folder.
    !name.starts_with('=')
        && may_reach_plugin(name.as_bytes())
        && order.pass.iter().any(is_asked_for)
        && !order.env.iter().any(|variable| variable.name.to_uppercase() == upper)
}
