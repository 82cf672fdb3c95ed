#!/bin/sh
# Copies the session into the archive of dagline. A session never waits for it and never hears of it: the work is done by
# a process of its own, without output, and the hook succeeds whatever happens.
command -v dagline >/dev/null 2>&1 || exit 0
event=$(cat)

# Claude Code may end the processes of a hook when it ends itself, unless they have a session of their own.
detach=nohup
command -v setsid >/dev/null 2>&1 && detach=setsid

# The last rows of a session are written while the hooks of its end run: therefore the pause. No process keeps the output
# of the hook open, because Claude Code waits until it is closed.
{
  printf '%s' "$event" | $detach sh -c 'event=$(cat); sleep 1; printf "%s" "$event" | dagline archive --hook'
} >/dev/null 2>&1 &
exit 0
