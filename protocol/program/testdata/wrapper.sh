# A script that starts an engine without exec. The engine heeds nothing, keeps the
# file that it is told open as long as it lives, and says so.
sh -c 'trap "" TERM INT HUP; exec 3>"$0"; echo here; sleep 60' "$1"
