# A program that leaves a child behind, which keeps the file that it is told open,
# and ends when it is asked to.
sh -c 'trap "" TERM INT HUP; exec 3>"$0"; echo here; exec >&- 2>&-; sleep 60' "$1" &
while read -r line; do
	[ "$line" = quit ] && exit 0
done
