# A program that resigns: it answers "bestmove resign".
while read -r line; do
	case "$line" in
	ugi) echo ugiok ;;
	isready) echo readyok ;;
	go*) echo 'bestmove resign' ;;
	quit) exit 0 ;;
	esac
done
