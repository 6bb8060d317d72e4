"""The scripts that shells load. All they do is ask `kubectl-kubex __complete` with the words typed so far."""

from __future__ import annotations

from collections.abc import Mapping

BASH = r"""# Completion of kubectl-kubex in bash. Load it with: source <(kubectl-kubex completion bash)
_kubectl_kubex() {
  local words=() cur=${COMP_WORDS[COMP_CWORD]} i word glue='' line out directive=0 lead=''
  # bash splits words at = and :, which belong to ours
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((${#words[@]})) && [[ $word == [=:] || $glue ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    glue=''
    [[ $word == [=:] ]] && glue=1
  done
  out=$("${COMP_WORDS[0]}" __complete "${words[@]}" 2>/dev/null) || return 0
  word=${words[${#words[@]} - 1]}
  [[ $word == -*=* ]] && word=${word#*=}
  [[ $COMP_WORDBREAKS == *:* && $word == *:* ]] && lead=${word%"${word##*:}"}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :[0-9]*) directive=${line#:} ;;
      ?*) line=${line%%$'\t'*} && COMPREPLY+=("${line#"$lead"}") ;;
    esac
  done <<<"$out"
  ((directive & 2)) && compopt -o nospace 2>/dev/null # which bash 3.2 has not
  if ((!(directive & 4) && ${#COMPREPLY[@]} == 0)); then
    [[ $cur == [=:] ]] && cur=''
    if ((directive & 16)); then cur='-d -- '$cur; else cur='-f -- '$cur; fi
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen ${cur%% *} -- "${cur#* -- }")
    compopt -o filenames 2>/dev/null
  fi
  return 0
}
complete -F _kubectl_kubex kubectl-kubex
"""
ZSH = r"""#compdef kubectl-kubex
# Completion of kubectl-kubex in zsh. Load it with: source <(kubectl-kubex completion zsh)
_kubectl_kubex() {
  local -a values shown
  local out line directive=0
  out=$("${words[1]}" __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null) || return 1
  for line in "${(@f)out}"; do
    case $line in
      :[0-9]*) directive=${line#:} ;;
      ?*) values+=("${line%%$'\t'*}"); shown+=("${line/$'\t'/  -- }") ;;
    esac
  done
  [[ ${words[CURRENT]} == -*=* ]] && compset -P '*='
  if ((${#values})); then
    if ((directive & 2)); then
      compadd -S '' -l -d shown -a values
    else
      compadd -l -d shown -a values
    fi
  elif ((directive & 16)); then
    _files -/
  elif ((!(directive & 4))); then
    _files
  fi
}
if [[ $funcstack[1] == _kubectl-kubex ]]; then
  _kubectl_kubex "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _kubectl_kubex kubectl-kubex
fi
"""
FISH = r"""# Completion of kubectl-kubex in fish. Load it with: kubectl-kubex completion fish | source
function __kubectl_kubex_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l prefix (string match -r -- '^-[^=]*=' $current)
    set -l directive 0
    set -l found 0
    for line in ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        if string match -qr -- '^:[0-9]+$' $line
            set directive (string sub -s 2 -- $line)
        else
            set found 1
            echo "$prefix$line"
        end
    end
    if test $found = 0; and test $directive != 4
        __fish_complete_path (string replace -r -- '^-[^=]*=' '' $current)
    end
end
complete -c kubectl-kubex -f -a '(__kubectl_kubex_complete)'
"""
POWERSHELL = r"""# Completion of kubectl-kubex in PowerShell.
# Load it with: kubectl-kubex completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName 'kubectl-kubex' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
        ForEach-Object { $_.ToString() })
    $program = $words[0]
    $rest = @($words | Select-Object -Skip 1)
    if ($wordToComplete -eq '') {
        # an empty argument gets lost on its way to a program before PowerShell 7.3
        $rest += $(if ($PSVersionTable.PSVersion -ge [version]'7.3') { '' } else { '""' })
    }
    $prefix = if ($wordToComplete -match '^(-[^=]*=)') { $Matches[1] } else { '' }
    $space = ' '
    $lines = @(& $program __complete @rest 2>$null)
    foreach ($line in $lines) { if ($line -match '^:(\d+)$' -and ([int]$Matches[1] -band 2)) { $space = '' } }
    foreach ($line in $lines) {
        if ($line -match '^:\d+$' -or $line -eq '') { continue }
        $value, $help = $line -split "`t", 2
        if (-not $help) { $help = $value }
        [System.Management.Automation.CompletionResult]::new("$prefix$value$space", $value, 'ParameterValue', $help)
    }
}
"""
SCRIPTS: Mapping[str, str] = {"bash": BASH, "zsh": ZSH, "fish": FISH, "powershell": POWERSHELL}
