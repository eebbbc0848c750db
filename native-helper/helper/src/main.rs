//! The `lanyard` command. Everything is in the library, so that tests can run it with shorter limits.

fn main() {
    std::process::exit(lanyard_helper::run(&lanyard_helper::Limits::SHIPPED).into());
}
