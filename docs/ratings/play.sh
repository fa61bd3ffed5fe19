#!/bin/sh
# play.sh QUINTET GAMES: plays the matches of README.md beside it with the program QUINTET, and stores their results
# here. GAMES is a folder for the records; with it, an interrupted run resumes. make ratings calls it.
set -e
quintet=$1 games=$2
here=$(dirname "$0")

# pair A B GAMES [FLAG...]: plays a match.
pair() {
	a=$1 b=$2 n=$3
	shift 3
	"$quintet" arena "$game" --a "$a" --b "$b" --games "$n" --nodes "$nodes" --openings "random:$plies" --seed 41 \
		--record "$games/$game-$a-$b.jsonl" --resume --json "$@" >/dev/null
}

# The positions of the engine for a move, and the random plies of the openings, are those of docs/levels.md.
while read -r game nodes plies; do
	pair level:1 random 20
	for level in 1 2 3 4 5 6 7 8; do
		pair "level:$((level + 1))" "level:$level" $((level < 6 ? 40 : 20))
	done
	pair engine level:9 10
	pair level:1 mcts 10 --limit b:nodes=200
	pair level:4 mcts 10 --limit b:nodes=200
	"$quintet" arena ratings "$games/$game"-*.jsonl --json >"$here/$game.json"
done <<END
neighbors 30000 4
othello 1000000 6
loa 40000 4
connect6 20000 3
chess 16000 4
END
