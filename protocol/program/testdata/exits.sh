# It ends with a status of its own.
echo bye >&2
exit 3
