# made from the parsers of the program by python -m tests.docs.manual
function __hearts_client_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$at $word")
        contains -- $next analyse conformance mistakes names replay sheet statistics; and set at $next
    end
    test "$at" = "$argv"
end
complete -c hearts-client -f
complete -c hearts-client -n '__hearts_client_at \'\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'\'' -l name -x -d 'your name at the table'
complete -c hearts-client -n '__hearts_client_at \'\'' -l profile -x -d 'settings, statistics and games of your own, if several people use one login'
complete -c hearts-client -n '__hearts_client_at \'\'' -l table -x -d 'a public table to join, or a private one to join or open'
complete -c hearts-client -n '__hearts_client_at \'\'' -l list -d 'show the public tables and end'
complete -c hearts-client -n '__hearts_client_at \'\'' -l standings -d 'show how names have done at the server, and end'
complete -c hearts-client -n '__hearts_client_at \'\'' -l day -d 'the deal of the day'
complete -c hearts-client -n '__hearts_client_at \'\'' -l watch -x -d 'watch a public table that plays, by the number of its game or its name'
complete -c hearts-client -n '__hearts_client_at \'\'' -l resume -x -d 'go on with a game that this program has left, or with a HOST also with one that you have there under your own name'
complete -c hearts-client -n '__hearts_client_at \'\'' -l password -x -d 'the host\'s password'
complete -c hearts-client -n '__hearts_client_at \'\'' -l password-file -r -F -d 'the host\'s password is the text of this file'
complete -c hearts-client -n '__hearts_client_at \'\'' -l dialect -x -a 'plain dealer' -d 'how to speak with the server'
complete -c hearts-client -n '__hearts_client_at \'\'' -l record -x -a '(__fish_complete_directories)' -d 'keep a record of each game in this folder'
complete -c hearts-client -n '__hearts_client_at \'\'' -l taunt-port -x -d 'the chat\'s port on the same host'
complete -c hearts-client -n '__hearts_client_at \'\'' -l version -d 'print it and exit'
complete -c hearts-client -n '__hearts_client_at \'\'' -l tls -d 'speak TLS, with the game and the chat'
complete -c hearts-client -n '__hearts_client_at \'\'' -l tls-ca -r -F -d '--tls, and trust the certificates of this PEM file, such as the host\'s own'
complete -c hearts-client -n '__hearts_client_at \'\'' -l tls-insecure -d '--tls, and trust ANY server'
complete -c hearts-client -n '__hearts_client_at \'\'' -l rules -x -d 'standard, mactech98, mac2000, windows93, spot-hearts, or rules with commas'
complete -c hearts-client -n '__hearts_client_at \'\'' -l end-score -x -d 'score at which a game ends'
complete -c hearts-client -n '__hearts_client_at \'\'' -l turn-limit -x -d 'time for each choice'
complete -c hearts-client -n '__hearts_client_at \'\'' -l computers -x -d 'seats for computers'
complete -c hearts-client -n '__hearts_client_at \'\'' -l level -x -d 'how well computers play, if the host allows it'
complete -c hearts-client -n '__hearts_client_at \'\'' -l solo -d 'play against three computers, here'
complete -c hearts-client -n '__hearts_client_at \'\'' -l lesson -d 'learn Hearts'
complete -c hearts-client -n '__hearts_client_at \'\'' -l deal -x -d 'with --solo'
complete -c hearts-client -n '__hearts_client_at \'\'' -l bot-pause -x -d 'with --solo'
complete -c hearts-client -n '__hearts_client_at \'\'' -l plain -d 'line by line, for screen readers and simple terminals'
complete -c hearts-client -n '__hearts_client_at \'\'' -l sort -x -a 'alternating suit' -d 'the suits of a hand'
complete -c hearts-client -n '__hearts_client_at \'\'' -l cards -r -F -d 'cards that you have designed, at the full screen'
complete -c hearts-client -n '__hearts_client_at \'\'' -l no-par -d 'after a hand, do not say what it usually costs'
complete -c hearts-client -n '__hearts_client_at \'\'' -l ascii -d 'letters instead of suit symbols'
complete -c hearts-client -n '__hearts_client_at \'\'' -l color -x -a 'auto always never' -d 'red suits in red'
complete -c hearts-client -n '__hearts_client_at \'\'' -a analyse -d 'List the mistakes in a game: what was chosen, what would have been better, by how
many points a hand, and why'
complete -c hearts-client -n '__hearts_client_at \'\'' -a conformance -d 'Test a Hearts client of your own, in any language, against SocketSpec.md
and DealerSpec.md.

The kit is the server'
complete -c hearts-client -n '__hearts_client_at \'\'' -a mistakes -d 'Ask your own mistakes: choices in the records of your games that cost a point or
more for sure'
complete -c hearts-client -n '__hearts_client_at \'\'' -a names -d 'A name of your own: at a host who lets names be claimed nobody else has it, and
you prove that it is yours by a key'
complete -c hearts-client -n '__hearts_client_at \'\'' -a replay -d 'Show the hand of a link, or the hands of a record, with all cards, and with the
link to each'
complete -c hearts-client -n '__hearts_client_at \'\'' -a sheet -d 'Make a page to print of records of games: the rules, the score sheet, and with
--cards each hand as it was dealt and played'
complete -c hearts-client -n '__hearts_client_at \'\'' -a statistics -d 'Count a player\'s games: won and lost, points, queens, moons, and more.

A record whose name has a seat in it, such as ...-seat-2.txt, is one of your own,
kept by \'hearts-client --record FOLDER\', and that seat is counted'
complete -c hearts-client -n '__hearts_client_at \'analyse\'' -F
complete -c hearts-client -n '__hearts_client_at \'analyse\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'analyse\'' -l every -d 'every choice in its order, with what is better'
complete -c hearts-client -n '__hearts_client_at \'analyse\'' -l player -x -d 'only what this player chose'
complete -c hearts-client -n '__hearts_client_at \'analyse\'' -l most -x -d 'so many mistakes'
complete -c hearts-client -n '__hearts_client_at \'analyse\'' -l deals -x -d 'deals of the hidden cards for each choice'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l listen -x -d 'where your client connects to'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l dialect -x -a 'plain dealer' -d 'what your client speaks'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l run -x -d 'start your client with this command for each scenario'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l output -r -F -d 'with --run'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l only -x -d 'play only this scenario, or those whose names begin so'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l list -d 'print the scenarios and end'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l patience -x -d 'wait so long for what is due'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l hush -x -d 'listen so long where nothing is due'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l wait -x -d 'wait so long for your client to connect'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l trace -d 'print the bytes'
complete -c hearts-client -n '__hearts_client_at \'conformance\'' -l json -r -F -d 'write the report to this file too, as JSON'
complete -c hearts-client -n '__hearts_client_at \'mistakes\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'mistakes\'' -l profile -x -d 'the games of this profile'
complete -c hearts-client -n '__hearts_client_at \'mistakes\'' -l record -x -a '(__fish_complete_directories)' -d 'the folder of your records'
complete -c hearts-client -n '__hearts_client_at \'mistakes\'' -l look -d 'look through what is new, and end'
complete -c hearts-client -n '__hearts_client_at \'mistakes\'' -l ascii -d 'letters instead of suit symbols'
complete -c hearts-client -n '__hearts_client_at \'names\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l claim -x -d 'claim your name at this server, or take it back there after --restore'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l list -x -d 'let your name stand in the standings of this server'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l unlist -x -d 'let it stand there no more'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l words -d 'write down the words, if that is not done yet'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l restore -d 'have the names of twelve words, which are asked for'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l forget -x -d 'know this server no more, so that its key may change'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l name -x -d 'the name'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l profile -x -d 'the names of this profile'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l password -x -d 'the host\'s password'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l password-file -r -F -d 'the host\'s password is the text of this file'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l tls -d 'speak TLS, with the game and the chat'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l tls-ca -r -F -d '--tls, and trust the certificates of this PEM file, such as the host\'s own'
complete -c hearts-client -n '__hearts_client_at \'names\'' -l tls-insecure -d '--tls, and trust ANY server'
complete -c hearts-client -n '__hearts_client_at \'replay\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'replay\'' -l links -d 'the links alone, one a line'
complete -c hearts-client -n '__hearts_client_at \'replay\'' -l names -d 'links with the names of the players'
complete -c hearts-client -n '__hearts_client_at \'replay\'' -l page -x -d 'the page that links lead to'
complete -c hearts-client -n '__hearts_client_at \'replay\'' -l take -x -d 'take a seat at the beginning of this trick, or of the pass for 0, and play on'
complete -c hearts-client -n '__hearts_client_at \'replay\'' -l seat -x -d 'the seat to take'
complete -c hearts-client -n '__hearts_client_at \'replay\'' -l par -d 'what the hand usually costs each seat'
complete -c hearts-client -n '__hearts_client_at \'sheet\'' -F
complete -c hearts-client -n '__hearts_client_at \'sheet\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'sheet\'' -l cards -d 'each hand too, card by card'
complete -c hearts-client -n '__hearts_client_at \'sheet\'' -l par -d 'what each hand usually costs, seat by seat'
complete -c hearts-client -n '__hearts_client_at \'sheet\'' -l output -r -F -d 'write to this file instead of the terminal'
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -F
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -l profile -x -d 'count the games of this profile'
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -l player -x -d 'count the games of who is called so in the records'
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -l par -x -d 'reckon the pars that are not kept yet, the newest hands first, for so long'
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -l average -d 'divide by the number of games'
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -l format -x -a 'text csv json' -d 'a table to look at, or a row for each rules'
complete -c hearts-client -n '__hearts_client_at \'statistics\'' -l output -r -F -d 'write to this file instead of the terminal'
