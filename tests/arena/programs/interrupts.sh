#!/bin/sh
# interrupts.sh SIGNAL FOLDER COMMAND...: where there is no such folder it makes one with its process
# number in it, sends the signal to the process that started it, and hangs. Else it is the command.
if mkdir "$2" 2>/dev/null
then
    echo $$ >"$2/pid"
    kill -s "$1" "$PPID"
    exec sleep 1000
fi
shift 2
exec "$@"
