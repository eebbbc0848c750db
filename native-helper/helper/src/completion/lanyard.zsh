#compdef lanyard
# zsh completion for lanyard. In ~/.zshrc, after compinit: source <(lanyard completion zsh)

_lanyard() {
  local -a lines described
  local line word about program=${(Q)${~words[1]}}
  lines=("${(@f)$("$program" complete-words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  local directive=${lines[-1]}
  for line in "${(@)lines[1,-2]}"; do
    word=${line%%$'\t'*}
    about=${${line#"$word"}#$'\t'}
    # _describe parts the word from what is said of it at the first colon without a backslash.
    word=${${word//\\/\\\\}//:/\\:}
    described+=("$word${about:+:$about}")
  done
  local found=1
  if (( $#described )); then
    _describe -V 'lanyard' described && found=0
  fi
  case $directive in
    :0)
      [[ $PREFIX == --*=* ]] && compset -P '*='
      _files && found=0
      ;;
    :16)
      [[ $PREFIX == --*=* ]] && compset -P '*='
      _files -/ && found=0
      ;;
  esac
  return found
}

# As a file of its own in fpath this is the function's body, else a script.
if [[ ${funcstack[1]} == _lanyard ]]; then
  _lanyard "$@"
else
  compdef _lanyard lanyard
fi
