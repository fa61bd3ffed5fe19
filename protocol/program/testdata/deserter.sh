# It stalls, and so do children in sessions of their own: one is an orphan.
exec 3> "$1"
(setsid sh -c 'trap "" HUP TERM; while :; do sleep 1000; done' > /dev/null 2>&1 &)
setsid sleep 1000 > /dev/null 2>&1 &
echo here
trap "" HUP TERM
while :; do sleep 1000; done
