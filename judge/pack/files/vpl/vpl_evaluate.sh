#!/bin/bash
# Judges the submission and leaves vpl_execution, which prints the comment and the grade. Without a
# verdict it leaves none, and VPL gives no grade.
[ -f vpl_environment.sh ] && . ./vpl_environment.sh
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/submission"
for f in *; do
  case $f in
    quintet|assignment.txt|rubric.txt|vpl_*|common_script.sh) ;;
    *) cp -r -- "$f" "$folder/submission/" ;;
  esac
done
chmod +x quintet
./quintet <<.Command ".">> --points "${VPL_GRADEMAX:-10}" --format vpl "$folder/submission" > "$folder/verdict"
status=$?
if [ "$status" -gt 1 ]; then
  echo "The judge failed. This attempt is not graded."
  exit "$status"
fi
{
  echo '#!/bin/bash'
  echo "echo $(base64 -w 0 "$folder/verdict") | base64 -d"
} > vpl_execution
chmod +x vpl_execution
