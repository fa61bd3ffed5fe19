# A program that stalls: it answers "thinking".
while read -r line; do
	case "$line" in
	ugi) echo ugiok ;;
	isready) echo readyok ;;
	go*) echo 'thinking' ;;
	quit) exit 0 ;;
	esac
done
