# A program that good: it answers "bestmove e3".
while read -r line; do
	case "$line" in
	ugi) echo ugiok ;;
	isready) echo readyok ;;
	go*) echo 'bestmove e3' ;;
	quit) exit 0 ;;
	esac
done
