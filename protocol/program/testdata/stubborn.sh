# A program that heeds nothing, with a child that keeps its output open.
trap "" TERM INT
sleep 60 &
echo here
while true; do sleep 1; done
