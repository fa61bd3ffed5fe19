# Judges the answer and prints its mark for CodeRunner. Without a verdict it fails, and CodeRunner
# reports an error instead of a mark.
import os, re, shutil, subprocess, sys

answer = """{{ STUDENT_ANSWER | e('py') }}"""
here = os.getcwd()
quintet = os.path.join(here, "quintet") if os.path.exists("quintet") else "quintet"
os.makedirs("submission", exist_ok=True)
for name in os.listdir(here):
    if re.search(r"\.(cpp|cc|cxx|c|h|hpp|py)$", name) and os.path.basename(sys.argv[0]) != name:
        shutil.copy(name, "submission")
if answer.strip():
    cpp = re.search(r"^[ \t]*#[ \t]*include", answer, re.M)
    with open("submission/answer.cpp" if cpp else "submission/answer.py", "w") as out:
        out.write(answer)
run = subprocess.run([quintet, <<.Flags "here">>, "--format", "coderunner", "submission"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
if run.returncode > 1:
    sys.exit("The judge failed. This attempt is not graded. " + run.stderr.decode("utf-8", "replace"))
sys.stdout.write(run.stdout.decode("utf-8"))
