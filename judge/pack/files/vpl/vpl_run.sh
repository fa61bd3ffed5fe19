#!/bin/bash
# Compiles the program, for the Run button.
shopt -s nullglob
cpp=(*.cpp *.cc *.cxx) c=(*.c) py=(*.py)
if [ ${#cpp[@]} -gt 0 ]; then
  g++ -std=c++17 -O1 -o vpl_execution "${cpp[@]}" "${c[@]}"
elif [ ${#c[@]} -gt 0 ]; then
  cc -std=gnu17 -O1 -o vpl_execution "${c[@]}" -lm
elif [ ${#py[@]} -gt 0 ]; then
  main=${py[0]}
  [ -f main.py ] && main=main.py
  printf '#!/bin/sh\nexec python3 "%s"\n' "$main" > vpl_execution
  chmod +x vpl_execution
else
  echo "Submit a source in C++, C or Python."
fi
