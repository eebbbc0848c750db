//! `lanyard-proxy`: started by the broker, which tells it all it needs over stdin. It ends when stdin does.

fn main() -> std::process::ExitCode {
    lanyard_proxy::run()
}
