#!/bin/sh
# Stands in for the C compiler, ar and dlltool of a system whose own aren't here (check-other-platforms.ts). `cargo check`
# links nothing, but ring's build script compiles C and assembler all the same, and rustc makes import libraries for
# Windows: they get empty files (-o) and empty libraries (dlltool's -l).
while [ $# -gt 1 ]; do
  case "$1" in
    -o) : >"$2" ;;
    -l) printf '!<arch>\n' >"$2" ;;
  esac
  shift
done
