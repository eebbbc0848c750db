#!/bin/sh
# A wrapped exec plugin for tests; test/support/plugin.ts puts it beside its files, README.md tells what it does.
here=@FOLDER@

# Each run has a folder with its number: 1, 2, ... The next free number is found by making it.
number=1
for known in "$here"/runs/*/; do
  known=${known%/}
  known=${known##*/}
  [ "$known" = '*' ] || [ "$known" -lt "$number" ] || number=$((known + 1))
done
until mkdir "$here/runs/$number" 2>/dev/null; do number=$((number + 1)); done
run=$here/runs/$number

echo $$ >"$run/pid"
if [ -r /proc/$$/environ ]; then cat /proc/$$/environ; else env -0; fi >"$run/env"
if [ -r /proc/$$/stat ]; then cat /proc/$$/stat; fi >"$run/stat"
printf '%s' "$PWD" >"$run/cwd"
for argument in "$@"; do printf '%s\0' "$argument"; done >"$run/args"
if [ -t 0 ]; then echo terminal; elif [ /dev/fd/0 -ef /dev/null ]; then echo nothing; else echo other; fi >"$run/stdin"
: >"$run/begun"

# All that is started from here on can be told by this.
PLUGIN_RUN=$run
export PLUGIN_RUN

does=fast
[ -e "$here/does" ] && read -r does <"$here/does"
for argument in "$@"; do
  case $argument in do=*) does=${argument#do=} ;; esac
done
# As in `exit:2`.
detail=${does#*:}

later() {
  date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$1" +%Y-%m-%dT%H:%M:%SZ
}

# Prints a file of answers, with what is known now in the place of its marks.
answer() {
  said=$2
  text=$(cat "$here/answers/$1")
  filled=
  while :; do
    before=${text%%@[A-Z]*}
    [ "$before" = "$text" ] && break
    filled=$filled$before
    text=${text#"$before"@}
    mark=${text%%@*}
    text=${text#*@}
    case $mark in
      RUN) filled=$filled$number ;;
      SAID) filled=$filled$said ;;
      END*) filled=$filled$(later $(($(date +%s) + ${mark#END}))) ;;
    esac
  done
  printf '%s\n' "$filled$text"
}

done_well() {
  : >"$run/ended"
  exit 0
}

case $does in
  fast) answer good ;;
  slow) sleep 0.6; answer good ;;
  slow:*) sleep "$detail"; answer good ;;
  held) until [ -e "$here/go" ]; do sleep 0.02; done; answer good ;;
  hanging) sleep 86400 & echo $! >"$run/child"; wait ;;
  ignoring-term) trap '' TERM INT HUP QUIT; : >"$run/ready"; while :; do sleep 1; done ;;
  forking) sleep 86400 & echo $! >"$run/child"; answer good ;;
  escaping | escaping-hanging)
    setsid sh -c 'trap "" TERM HUP INT; (sleep 86400 & echo $! >"$PLUGIN_RUN/child")' </dev/null >/dev/null 2>&1
    [ "$does" = escaping ] || sleep 86400
    answer good
    ;;
  prompt)
    [ -t 0 ] || { echo 'plugin: there is no terminal to ask on' >&2; exit 1; }
    printf 'Code: ' >&2
    read -r typed || exit 1
    answer said "$typed"
    ;;
  password)
    { true </dev/tty; } 2>/dev/null || { echo 'plugin: there is no terminal to ask on' >&2; exit 1; }
    before=$(stty -g </dev/tty)
    trap 'stty "$before" </dev/tty' EXIT
    trap 'exit 130' INT TERM HUP
    stty -echo </dev/tty
    printf 'Password: ' >/dev/tty
    read -r typed </dev/tty || exit 1
    printf '\n' >/dev/tty
    answer said "$typed"
    ;;
  large)
    printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'
    head -c 2097152 /dev/zero | tr '\0' x
    printf '"}}\n'
    ;;
  bytes:*) head -c "$detail" /dev/zero | tr '\0' x ;;
  silent) ;;
  exit:*) printf 'plugin: it failed with %s\n' "$detail" >&2; exit "$detail" ;;
  killed) kill -KILL $$ ;;
  killed:*) kill "-$detail" $$ ;;
  escapes) printf 'a\033[2Jb\033]0;title\007c\342\200\256d\n' >&2; answer good ;;
  telling) printf 'first line\nsecond line\n' >&2; answer good ;;
  chatty) head -c 262144 /dev/zero | tr '\0' e >&2; answer good ;;
  variable) answer said "${PLUGIN_ANSWER-unset}" ;;
  calls) sh "$here/calls" >"$run/called.stdout" 2>"$run/called.stderr"; echo $? >"$run/called.code"; answer good ;;
  relays)
    sh "$here/calls" >"$run/called.stdout" 2>"$run/called.stderr"
    code=$?
    echo $code >"$run/called.code"
    cat "$run/called.stderr" >&2
    [ $code = 0 ] || exit $code
    answer good
    ;;
  *) answer "$does" ;;
esac
done_well
