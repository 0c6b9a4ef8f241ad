# made from the parsers of the program by python -m tests.docs.manual
function __hearts_ssh_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$at $word")
        contains -- $next ; and set at $next
    end
    test "$at" = "$argv"
end
complete -c hearts-ssh -f
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -l version -d 'print it and exit'
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -l host -x -d 'address to listen on'
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -l port -x -d 'TCP port to listen on'
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -l server -r -F -d 'the socket of the game server, as its --ssh-door says'
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -l sessions -x -d 'visitors at once'
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -l max-per-address -x -d 'visitors at once from one address'
complete -c hearts-ssh -n '__hearts_ssh_at \'\'' -l seats -r -F -d 'where it is kept how visitors with a key come back to their seats'
