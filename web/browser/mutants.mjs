// Mutation tests of the pages: puts one small mistake at a time into a script of web/ui, and runs the scenes
// that use it. See CONTRIBUTING.md; lab/mutants does the same with Go.
//
//     make pagemutants SAMPLE=20 SEED=1
//
// A mutant drops a statement or an early return, negates a condition, or changes a comparison. One that does not
// type-check is replaced by the next, because TestTypes notices it. The source tree is never written to: windows get
// the scripts that esbuild makes from a copy (but service workers get the server's). Results are kept in a file, and
// a later run continues. A mutant that a scene notices is printed with what the scene says, so that a scene that fails for
// another reason can be told.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import ts from "typescript";

const here = import.meta.dirname, root = resolve(here, "../.."), ui = join(root, "web/ui");
const { SAMPLE, SEED, FILES, RESULTS } = process.env;

// scenes are patterns of the scenes that use some files. Files that are not listed are used wherever there is a game.
const scenes = [
  [/^(account|passkeys|person|people|moderation|progress|syncprogress|sending|header)\./, "guest keeps|adds a passkey|follows and reports|learnt in one|puzzle of the day"],
  [/^(challenges|conditional|vacation|nextgame)\./, "challenges everybody"],
  [/^(class|handin|verdict|league|final|sheet|similar|teach|screen)\./, "teacher makes a class|class watches"],
  [/^(tour\w*|touring)\./, "round robin"],
  [/^(device|engine|installed|keeping|local|playing|sw)\./, "aeroplane|new version keeps|two people at one device"],
  [/^(analysing|analysis|movelist|nodetools|opening|search|searchbox|shots|tree|lines)\./, "variations: played|keys alone: the board, the var|hidden page, a step|analysis of othello|a tree refuses|review and the editor lead|opening book"],
  [/^(sharing|syncing)\./, "saved with all|two people edit together|not there is said|record with variations"],
  [/^(editing|editor|notation)\./, "editor of chess|editor of othello|keys alone: pieces|stroke of the mouse|read while it is typed|impossible position"],
  [/^(review|reviewing|chart|submit)\./, "game is reviewed|retried is shown|by keys alone|pasted record|broken connection|review of chess"],
  [/^(puzzles|lessons|trainer|run|today|kinds)\./, "puzzles of othello|lessons of chess|misses the goal|hint, solution|three minutes|streak|says so|of the day"],
  [/^(home|playnow|seeking|lists|rows|watch|demo|film|diagram|lazy)\./, "press the same|engine that is offered|best live game|finished games stay|games in progress are|your games|plays a game of the chosen|engines play each other"],
  [/^(new|setup|options|pits|kinds|rules|clocks|wrong|store)\./, "keyboard alone: opp|wrong with a field|pits are chosen|either start|options hold|chosen last|begins with either|one second is one"],
  [/^(settings|sound|early|face|metrics|ground|pieces|defs|drawing|resize|icon)\./, "Settings|kept|sounds play|fades where|four dots|corner|chosen|discs turn"],
  [/^(connection|match|follow|sentence|api)\./, "closed comes back|exactly once|after a sleep|hangs is|offers and take|arrive after|players are fetched|cannot write|refusals|premove is played|requested position|placed faster"],
  [/^(board|cell|choice|zoom|men|ending|resultplace)\./, "othello in two|chess in two|connect6 in two|illegal move|premove|dragged|cancelled touch|in hand|first tap|attacked king|algebraic|dots say|right button|result covers|chess: the end|othello: the end"],
];
const usual = "chess in two|offers and take|premove is played|announced|away|closed comes back|record is offered|steps through|rotated|agree on a draw|taken in one|plays again|loser sees|step buttons";

const swaps = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "&&": "||", "||": "&&" };

/** mutantsOf lists the mutants of a file. */
function mutantsOf(name) {
  const text = readFileSync(join(ui, name), "utf8"), count = {}, list = [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  const add = (kind, node, to, where = "") => {
    count[where + kind] = (count[where + kind] ?? 0) + 1;
    const from = node.getStart(), end = node.getEnd(), line = source.getLineAndCharacterOfPosition(from).line + 1;
    list.push({ id: `${name}:${where}:${kind}${count[where + kind]}`, name, line, from, end, to, change: `${node.getText().slice(0, 160)} → ${to.slice(0, 160)}` });
  };
  const isLast = (node) => ts.isFunctionLike(node.parent.parent) && node.parent.statements?.at(-1) === node;
  const visit = (node, where) => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name) where = node.name.getText();
    if (ts.isExpressionStatement(node)) add("drop", node, ";", where);
    else if (ts.isReturnStatement(node) && !isLast(node)) add("return", node, node.expression ? `void (${node.expression.getText()});` : ";", where);
    else if (ts.isIfStatement(node)) add("negate", node.expression, `!(${node.expression.getText()})`, where);
    else if (ts.isConditionalExpression(node)) add("negate", node.condition, `!(${node.condition.getText()})`, where);
    else if (ts.isBinaryExpression(node) && swaps[node.operatorToken.getText()]) add("compare", node.operatorToken, swaps[node.operatorToken.getText()], where);
    ts.forEachChild(node, (child) => visit(child, where));
  };
  visit(source, "");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return list.map((m) => ({ ...m, hash, rank: createHash("sha256").update(`${SEED || 1} ${m.id}`).digest("hex"), text: text.slice(0, m.from) + m.to + text.slice(m.end) }));
}

const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile(join(here, "tsconfig.json"), ts.sys.readFile).config, ts.sys, here);
const host = ts.createCompilerHost(options), parsed = new Map();
let program;

/** typed reports whether the program type-checks with a mutant in it. */
function typed({ name, text }) {
  const path = join(ui, name);
  program = ts.createProgram(fileNames, options, { ...host, getSourceFile: (file, ...how) => {
    if (resolve(file) === path) return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
    if (!parsed.has(file)) parsed.set(file, host.getSourceFile(file, ...how));
    return parsed.get(file);
  } }, program);
  return ts.getPreEmitDiagnostics(program).length === 0;
}

const tmp = mkdtempSync(join(tmpdir(), "quintet-mutants-")), assets = join(tmp, "web/assets");
process.on("exit", () => rmSync(tmp, { recursive: true, force: true }));
mkdirSync(assets, { recursive: true });
cpSync(ui, join(tmp, "web/ui"), { recursive: true });
symlinkSync(join(root, "picture"), join(tmp, "picture"));
const run = (command, args, more = {}, cwd = root) => spawnSync(command, args, { cwd, encoding: "utf8", env: { ...process.env, ...more } });
const [webbuild, quintet] = ["webbuild", "quintet"].map((name) => join(tmp, name));
for (const [program, pkg] of [[webbuild, "./lab/webbuild"], [quintet, "./cmd/quintet"]]) if (run("go", ["build", "-o", program, pkg]).status !== 0) throw new Error(`${pkg} does not compile`);

/** build makes the scripts with some text in a file. */
function build({ name, text }) {
  const copy = join(tmp, "web/ui", name), was = readFileSync(copy);
  writeFileSync(copy, text);
  const made = run(webbuild, [], {}, tmp);
  writeFileSync(copy, was);
  if (made.status !== 0) throw new Error(made.stderr);
}

/** test returns what came of a mutant: invalid, killed or lived, and what a scene says. */
function test(mutant) {
  if (!typed(mutant)) return { outcome: "invalid" };
  const pattern = scenes.find(([files]) => files.test(mutant.name))?.[1] ?? usual;
  build(mutant);
  const { status, stdout } = run(process.execPath, ["--test-reporter=spec", `--test-name-pattern=${pattern}`, "suite.mjs"], { QUINTET: quintet, SCRIPTS: assets, SHOTS: tmp }, here);
  if (status === 0) return { outcome: "lived" };
  const said = stdout.split("failing tests:").at(-1).split("\n").filter((l) => /✖|Error|!==|expected|panic/.test(l)).slice(0, 3).map((l) => l.trim());
  return { outcome: "killed", said: said.length ? said : stdout.slice(-600) };
}

const results = RESULTS || join(root, ".pagemutants.jsonl");
const known = new Map((existsSync(results) ? readFileSync(results, "utf8").trim().split("\n") : []).filter(Boolean).map((l) => JSON.parse(l)).map((r) => [r.id + r.hash, r]));
const files = readdirSync(ui).filter((f) => /\.tsx?$/.test(f) && (!FILES || FILES.split(",").includes(basename(f))));
const all = files.flatMap(mutantsOf).sort((a, b) => (a.rank < b.rank ? -1 : 1)), score = { killed: 0, lived: 0, invalid: 0 };
for (const m of all) {
  if (score.killed + score.lived === Number(SAMPLE || 20)) break;
  let result = known.get(m.id + m.hash);
  if (!result) {
    result = { id: m.id, hash: m.hash, ...test(m) };
    appendFileSync(results, JSON.stringify(result) + "\n");
  }
  score[result.outcome]++;
  if (result.outcome !== "invalid") console.log(`${result.outcome}: ${m.id} (line ${m.line}): ${m.change}${result.said ? `\n    ${result.said}` : ""}`);
}
console.log(`${score.killed} of ${score.killed + score.lived} mutants noticed (of ${all.length}); ${score.invalid} that do not type-check were replaced`);
