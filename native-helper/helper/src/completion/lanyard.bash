# bash completion for lanyard. In ~/.bashrc: source <(lanyard completion bash)

_lanyard() {
  local line lines=() program=${1/#\~\//$HOME/}
  COMPREPLY=()
  # The helper splits the line itself: bash would cut a name at each colon.
  while IFS= read -r line; do
    lines[${#lines[@]}]=$line
  done < <("$program" complete-words --bash "${COMP_TYPE:-9}" "${COLUMNS:-80}" "$COMP_WORDBREAKS" \
    -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  local count=${#lines[@]}
  ((count > 0)) || return 0
  COMPREPLY=("${lines[@]:0:count-1}")
  # The last line says whether files are wanted: by default they are what is left, where nothing else is found.
  case ${lines[count - 1]} in
    :0) ;;
    :16) compopt +o default -o dirnames 2>/dev/null ;;
    *) compopt +o default 2>/dev/null ;;
  esac
  return 0
}

complete -o default -F _lanyard lanyard
