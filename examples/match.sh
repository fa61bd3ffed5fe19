#!/bin/sh
# Plays NEW against OLD until one is proved stronger or 2,000 games are played, and draws the ratings.
# Interrupted, it goes on where it stopped if called again.
#
#	examples/match.sh othello "ugi:./mine" level:2
#	examples/match.sh loa new="ugi:./mine loa" old="ugi:./old loa" --nodes 5000 --sprt 0,5
set -eu
if [ $# -lt 3 ]; then
	echo "usage: $0 GAME NEW OLD [FLAGS of quintet arena]" >&2
	exit 2
fi
game=$1 new=$2 old=$3
shift 3
exec quintet arena "$game" --a "$new" --b "$old" --nodes 1000 --openings random:6 --sprt 0,10 --games 2000 \
	--record "match-$game.jsonl" --resume --svg "match-$game.svg" "$@"
