# A program that has none: it answers "bestmove (none)".
while read -r line; do
	case "$line" in
	ugi) echo ugiok ;;
	isready) echo readyok ;;
	go*) echo 'bestmove (none)' ;;
	quit) exit 0 ;;
	esac
done
