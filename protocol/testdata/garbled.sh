# A program that garbled: it answers "bestmove zz9".
while read -r line; do
	case "$line" in
	ugi) echo ugiok ;;
	isready) echo readyok ;;
	go*) echo 'bestmove zz9' ;;
	quit) exit 0 ;;
	esac
done
