# made from the parsers of the program by python -m tests.docs.manual
function __hearts_web_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$at $word")
        contains -- $next ; and set at $next
    end
    test "$at" = "$argv"
end
complete -c hearts-web -f
complete -c hearts-web -n '__hearts_web_at \'\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-web -n '__hearts_web_at \'\'' -l version -d 'print it and exit'
complete -c hearts-web -n '__hearts_web_at \'\'' -l host -x -d 'address to listen on'
complete -c hearts-web -n '__hearts_web_at \'\'' -l port -x -d 'TCP port to listen on'
complete -c hearts-web -n '__hearts_web_at \'\'' -l proxy-listen -x -d 'listen there as well, HOST:PORT or the path of a Unix socket, for a load balancer that begins each connection with a PROXY header'
complete -c hearts-web -n '__hearts_web_at \'\'' -l game -x -d 'the game server'
complete -c hearts-web -n '__hearts_web_at \'\'' -l chat -x -d 'the taunt server in the same way, or \'none\''
complete -c hearts-web -n '__hearts_web_at \'\'' -l asks-password -d 'the game server asks for a password, so the page does as well'
complete -c hearts-web -n '__hearts_web_at \'\'' -l has-names -d 'the game server lets names be claimed, so the page does as well'
complete -c hearts-web -n '__hearts_web_at \'\'' -l send-proxy -d 'begin each connection with a PROXY header, so that the servers know who plays'
complete -c hearts-web -n '__hearts_web_at \'\'' -l origin -x -d 'another origin whose pages may play here, such as https://cards.example'
complete -c hearts-web -n '__hearts_web_at \'\'' -l name -x -d 'a name by which browsers ask for the page, such as cards.example or *.cards.example'
complete -c hearts-web -n '__hearts_web_at \'\'' -l forwarded-from -x -d 'address or network of a reverse proxy that is believed when it says who asks'
complete -c hearts-web -n '__hearts_web_at \'\'' -l forwarded-header -x -d 'the header in which it says so'
complete -c hearts-web -n '__hearts_web_at \'\'' -l max-websockets -x -d 'WebSockets at once, two for a page'
complete -c hearts-web -n '__hearts_web_at \'\'' -l max-per-address -x -d 'WebSockets at once from one IPv4 address or one IPv6 /64 network'
complete -c hearts-web -n '__hearts_web_at \'\'' -l accept-rate -x -d 'connections that one address may open in a second'
complete -c hearts-web -n '__hearts_web_at \'\'' -l accept-burst -x -d 'connections that it may open at once before that counts'
complete -c hearts-web -n '__hearts_web_at \'\'' -l work-per-connection -x -d 'milliseconds of work in a second after which reading from a browser pauses'
complete -c hearts-web -n '__hearts_web_at \'\'' -l tls-cert -r -F -d 'certificate'
complete -c hearts-web -n '__hearts_web_at \'\'' -l tls-key -r -F -d 'key of the certificate as PEM, without a password'
complete -c hearts-web -n '__hearts_web_at \'\'' -l log-level -x -a 'debug info warning error' -d 'least important events that are logged, to standard error'
complete -c hearts-web -n '__hearts_web_at \'\'' -l exit-with-parent -d 'end when standard input ends, for a program that starts it'
