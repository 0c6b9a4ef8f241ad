# made from the parsers of the program by python -m tests.docs.manual
function __hearts_bot_at
    set -l at ''
    for word in (commandline -opc)[2..]
        set -l next (string trim "$at $word")
        contains -- $next ; and set at $next
    end
    test "$at" = "$argv"
end
complete -c hearts-bot -f
complete -c hearts-bot -n '__hearts_bot_at \'\'' -s h -l help -d 'show this help message and exit'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l host -x -d 'the game server'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l port -x -d 'its port'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l name -x -d 'name at the table'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l profile -x -d 'prove that --name is its own, by the names of this profile of hearts-client names'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l table -x -d 'a public table to join, or a private one to join or open'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l password -x -d 'the host\'s password'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l password-file -r -F -d 'the host\'s password is the text of this file'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l count -x -d 'so many bots, each with a connection of its own'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l games -x -d 'ask for another game until N are played, where the server asks this player'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l rules -x -d 'rules of a table that the bot opens'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l dialect -x -a 'plain dealer' -d 'how to speak with the server'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l retry-limit -x -d 'try for so long to come back to a game whose connection is lost'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l quiet -d 'print nothing but errors'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l version -d 'print it and exit'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l tls -d 'speak TLS, with the game and the chat'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l tls-ca -r -F -d '--tls, and trust the certificates of this PEM file, such as the host\'s own'
complete -c hearts-bot -n '__hearts_bot_at \'\'' -l tls-insecure -d '--tls, and trust ANY server'
