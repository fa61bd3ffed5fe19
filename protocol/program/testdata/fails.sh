# A program that fails with last words.
echo working >&2
echo "out of ideas" >&2
exit 3
