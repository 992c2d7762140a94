# bash completion for rehead: what may stand where comes from `rehead __complete`.
# shellcheck shell=bash

_rehead() {
  # The words as rehead would get them: bash has split COMP_WORDS at ':' and '=' too.
  local line=${COMP_LINE:0:COMP_POINT} word='' quote='' begun='' sign i
  local -a words=()
  for ((i = 0; i < ${#line}; i++)); do
    sign=${line:i:1}
    if [[ $sign == \\ && $quote != "'" ]]; then
      i=$((i + 1)) word+=${line:i:1} begun=1
    elif [[ $quote ]]; then
      if [[ $sign == "$quote" ]]; then quote=; else word+=$sign; fi
    elif [[ $sign == [\"\'] ]]; then
      quote=$sign begun=1
    elif [[ $sign == [[:blank:]] ]]; then
      [[ $begun ]] && words+=("$word")
      word='' begun=''
    else
      word+=$sign begun=1
    fi
  done

  local program=$1 typed='' reply kind before path
  command -v "$program" >/dev/null || program=rehead
  # What bash takes for the word begins behind the last ':' or '=', unless that is quoted.
  [[ $quote ]] || typed=${word%"${word##*[:=]}"}
  COMPREPLY=()
  while IFS= read -r reply; do
    if [[ $reply == *$'\t'* ]]; then
      reply=${reply%%$'\t'*}
      COMPREPLY+=("${reply#"$typed"}")
      continue
    fi
    kind=-f
    [[ $reply == dirs* ]] && kind=-d
    before=${reply#files} before=${before#dirs} before=${before# }
    compopt -o filenames
    while IFS= read -r path; do
      path=$before$path
      COMPREPLY+=("${path#"$typed"}")
    done < <(compgen "$kind" -- "${word#"$before"}")
  done < <("$program" __complete "${words[@]:1}" "$word" 2>/dev/null)
  [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace
  return 0
}

complete -F _rehead rehead
