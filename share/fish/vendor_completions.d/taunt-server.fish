# made from the parsers of the program by python -m tests.docs.manual
function __taunt_server_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$at $word")
        contains -- $next ; and set at $next
    end
    test "$at" = "$argv"
end
complete -c taunt-server -f
complete -c taunt-server -n '__taunt_server_at \'\'' -s h -l help -d 'show this help message and exit'
complete -c taunt-server -n '__taunt_server_at \'\'' -l version -d 'print it and exit'
complete -c taunt-server -n '__taunt_server_at \'\'' -l host -x -d 'address to listen on'
complete -c taunt-server -n '__taunt_server_at \'\'' -l port -x -d 'TCP port to listen on'
complete -c taunt-server -n '__taunt_server_at \'\'' -l secret-file -r -F -d 'file of exactly 32 bytes, the same that hearts-server uses'
complete -c taunt-server -n '__taunt_server_at \'\'' -l max-connections -x -d 'connections at once'
complete -c taunt-server -n '__taunt_server_at \'\'' -l max-per-address -x -d 'connections at once from one IPv4 address or one IPv6 /64 network'
complete -c taunt-server -n '__taunt_server_at \'\'' -l max-per-network -x -d 'connections at once from one IPv4 /24, IPv6 /56 and IPv6 /48'
complete -c taunt-server -n '__taunt_server_at \'\'' -l accept-rate -x -d 'connections that one address may open in a second'
complete -c taunt-server -n '__taunt_server_at \'\'' -l accept-burst -x -d 'connections that it may open at once before that counts'
complete -c taunt-server -n '__taunt_server_at \'\'' -l tls-cert -r -F -d 'certificate'
complete -c taunt-server -n '__taunt_server_at \'\'' -l tls-key -r -F -d 'key of the certificate as PEM, without a password'
complete -c taunt-server -n '__taunt_server_at \'\'' -l log-level -x -a 'debug info warning error' -d 'least important events that are logged, to standard error'
complete -c taunt-server -n '__taunt_server_at \'\'' -l exit-with-parent -d 'end when standard input ends, and leave the interrupt key to the program that started this one'
complete -c taunt-server -n '__taunt_server_at \'\'' -l lease -d 'end all connections, and take none, while standard input has said nothing for 3 s, with which the program that started this one says that it may still play'
complete -c taunt-server -n '__taunt_server_at \'\'' -l announce-fd -x -d 'descriptor of a connected socket that the game server left open for this program, to announce things though no connection is free'
complete -c taunt-server -n '__taunt_server_at \'\'' -l announce-socket -r -F -d 'Unix socket, made for programs of this user alone, where the game server announces things though no connection is free'
complete -c taunt-server -n '__taunt_server_at \'\'' -l proxy-listen -x -d 'listen there as well, HOST:PORT or the path of a Unix socket, for a load balancer or a gateway, which begins each connection with a PROXY header'
