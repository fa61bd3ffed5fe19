# A program that illegal: it answers "bestmove a1".
while read -r line; do
	case "$line" in
	ugi) echo ugiok ;;
	isready) echo readyok ;;
	go*) echo 'bestmove a1' ;;
	quit) exit 0 ;;
	esac
done
