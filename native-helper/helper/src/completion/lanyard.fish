# fish completion for lanyard. Once: lanyard completion fish > ~/.config/fish/completions/lanyard.fish

function __lanyard_complete
    # Since fish 4 -x gives the words without their quotes; before, -o did.
    set -l words (commandline -xpc 2>/dev/null)
    or set words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] complete-words -- $words[2..-1] "$current" 2>/dev/null)
    or return
    test (count $lines) -gt 1
    and printf '%s\n' $lines[1..-2]
    # Of --file=NAME the name alone is a path.
    set -l option (string match -r -- '^--[^=]+=' $current)
    set -l path (string replace -- "$option" '' "$current")
    switch $lines[-1]
        case ':0'
            __fish_complete_path "$path" | string replace -r -- '^' "$option"
        case ':16'
            __fish_complete_directories "$path" '' | string replace -r -- '^' "$option"
    end
end

complete -c lanyard -f -k -a '(__lanyard_complete)'
