# fish completion for rehead: what may stand where comes from `rehead __complete`.

function __rehead_complete
    set -l words (commandline -opc)
    set -l word (string unescape -- (commandline -ct))
    # A quote that is still open.
    or set word (string replace -r '^[\'"]' '' -- (commandline -ct))
    set -q word[1]
    or set word ''
    set -l program $words[1]
    for line in ($program __complete $words[2..-1] "$word" 2>/dev/null)
        if string match -q "*"\t"*" -- $line
            echo $line
            continue
        end
        set -l kind (string split -m 1 ' ' -- $line)
        set -l before "$kind[2]"
        set -l rest (string sub -s (math (string length -- "$before") + 1) -- "$word")
        set -l paths
        if test $kind[1] = dirs
            set paths (__fish_complete_directories "$rest" '')
        else
            set paths (__fish_complete_path "$rest")
        end
        for path in $paths
            echo $before$path
        end
    end
end

complete -c rehead -f -k -a '(__rehead_complete)'
