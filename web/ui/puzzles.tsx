// The page of puzzles: find the only winning turn at every step. A wrong turn is refuted
// on the board.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call } from "./api";
import { Icon } from "./icon";
import { notated } from "./men";
import { extendStreak, Progress, record } from "./progress";
import { RunBar, runNext, useRun } from "./run";
import { solved } from "./store";
import { useSyncedProgress } from "./syncprogress";
import type { Daily } from "./today";
import { Absent, Heard, messageOf, News, positionAfter, sameTurn, Trainer, TypedMove, useTrainerFocus, useTrouble, type Position } from "./trainer";
import type { Move, Side } from "./types";
import { boot, count, gameTitle, has, listed, say, sideName } from "./words";

interface Entry {
  id: string;
  side: Side;
  wins_in: number;
  themes: string[];
  difficulty: number;
}

interface Refutation {
  reply: string[];
  moves?: string[];
}

interface Turn {
  moves: string[];
  reply?: string[];
  refutations: Refutation[];
}

interface Puzzle extends Entry {
  position: string;
  turns: Turn[];
}

/** bands are the difficulties to choose from. */
const bands: Record<string, [number, number]> = { all: [1, 10], easy: [1, 2], medium: [3, 6], hard: [7, 10] };

const pause = 700; // milliseconds before a reply is shown

type Phase = "busy" | "asked" | "wrong" | "solved" | "shown";

export function Main(): JSX.Element {
  useSyncedProgress();
  const game = boot.id!;
  const [list, setList] = useState<Entry[] | null>(null);
  const [wanted, setWanted] = useState<Wanted>({ band: "all", theme: "" });
  const [puzzle, setPuzzle] = useState<Puzzle | null>(null);
  const [daily, setDaily] = useState<Daily | null>(null);
  const [trouble, setTrouble] = useTrouble();
  useEffect(() => { call<Daily>("GET", "/api/puzzles/today").then(setDaily, () => {}); }, []); // the page does without
  const open = (id: string): void => {
    history.replaceState(null, "", `?id=${id}`);
    call<Puzzle>("GET", `/api/puzzles/${encodeURIComponent(id)}`).then(setPuzzle, (e) => setTrouble(messageOf(e)));
  };
  useEffect(() => {
    call<{ puzzles: Entry[] }>("GET", `/api/puzzles?game=${game}`).then(({ puzzles }) => {
      setList(puzzles);
      if (puzzles.length === 0) return;
      const asked = new URLSearchParams(location.search).get("id");
      const known = puzzles.some((e) => e.id === asked);
      if (asked && !known) setTrouble(say("problem.puzzle"));
      open(known ? asked! : nextOf(game, puzzles, wanted, ""));
    }, (e) => setTrouble(messageOf(e)));
  }, []);
  useTrainerFocus();
  const { run, start, stop, tried } = useRun(game, (n) => open(runNext(list!, n, puzzle?.id ?? "").id));
  const next = (w = wanted): void => open(nextOf(game, list!, w, puzzle?.id ?? ""));
  const choose = (change: Partial<Wanted>): void => {
    const w = { ...wanted, ...change };
    setWanted(w);
    next(w);
  };
  const themes = [...new Set(list?.flatMap((e) => e.themes))].filter((t) => has(`theme.${t}`));
  return (
    <main id="main" class="table study training" data-ready={puzzle !== null || list?.length === 0}>
      <h1 class="hidden">{say("puzzles.title", { game: gameTitle(game) })}</h1>
      {puzzle ? <Solve key={puzzle.id} game={game} puzzle={puzzle} next={() => next()} run={run.going} onTried={tried} onSolved={() => { if (daily?.puzzles.some((p) => p.id === puzzle.id)) extendStreak(daily.day); }} trouble={trouble} setTrouble={setTrouble}>
        <RunBar game={game} run={run} start={start} stop={stop} />
        <Progress game={game} all={list!.length} daily={daily} now={puzzle.id} />
        <div class="row">
          <label class="field">{say("puzzles.level")}
            <select value={wanted.band} onChange={(e) => choose({ band: e.currentTarget.value })}>
              {Object.keys(bands).map((b) => <option key={b} value={b}>{say(`puzzles.band.${b}`)}</option>)}
            </select>
          </label>
          {themes.length > 1 && (
            <label class="field">{say("puzzles.theme")}
              <select value={wanted.theme} onChange={(e) => choose({ theme: e.currentTarget.value })}>
                <option value="">{say("puzzles.band.all")}</option>
                {themes.map((t) => <option key={t} value={t}>{say(`theme.${t}`)}</option>)}
              </select>
            </label>
          )}
        </div>
      </Solve> : list?.length === 0 ? <Absent game={game} text={say("puzzles.none", { game: gameTitle(game) })} /> : <Waiting trouble={trouble} />}
      <Heard />
    </main>
  );
}

export function Waiting({ trouble }: { trouble: string }): JSX.Element {
  return (
    <>
      <div class="stage"><div class="seat" /><div class="boardbox loading" /><div class="seat" /></div>
      <aside class="panel" aria-label={say("panel.title")}><p class="state" role="status">{trouble || say("loading")}</p></aside>
    </>
  );
}

/** Wanted selects puzzles; the theme "" means any. */
interface Wanted {
  band: string;
  theme: string;
}

/** nextOf returns the next unsolved puzzle that is wanted; if all are solved, the next wanted one. */
function nextOf(game: string, list: Entry[], { band, theme }: Wanted, now: string): string {
  const [low, high] = bands[band];
  const at = list.findIndex((e) => e.id === now);
  const themed = [...list.slice(at + 1), ...list.slice(0, at + 1)].filter((e) => theme === "" || e.themes.includes(theme));
  const ahead = themed.filter((e) => e.difficulty >= low && e.difficulty <= high);
  const done = solved.peek()[game] ?? {};
  return (ahead.find((e) => typeof done[e.id] !== "boolean") ?? ahead[0] ?? themed[0]).id;
}

/** against is the other side. It duplicates types.ts, because sharing that module would add a chunk to the first page. */
const against = (side: Side): Side => (side === "first" ? "second" : "first");

/** goalOf returns the task of a puzzle as a sentence. */
const goalOf = (game: string, p: Entry): string => {
  const side = sideName(game, p.side);
  return p.wins_in > 0 ? count("puzzles.goal", p.wins_in).replace("{side}", side) : say("puzzles.goal.endgame", { side });
};

/** Solve is one puzzle. */
function Solve({ game, puzzle, next, run, onTried, onSolved, trouble, setTrouble, children }: { game: string; puzzle: Puzzle; next: () => void; run: boolean; onTried: (well: boolean) => void; onSolved: () => void; trouble: string; setTrouble: (t: string) => void; children: JSX.Element[] }): JSX.Element {
  const [at, setAt] = useState<Position | null>(null);
  const [phase, setPhase] = useState<Phase>("busy");
  const [news, setNews] = useState<{ text: string; kind: "" | "good" | "bad" }>({ text: "", kind: "" });
  const [clean, setClean] = useState(true); // no mistake and no help so far
  const line = useRef<string[]>([]); // what has been played of the solution
  const turn = useRef(0);
  const part = useRef<string[]>([]); // of the turn
  const turnBegan = useRef<Position | null>(null); // the position before it
  const gone = useRef(false);
  const requests = useRef(0); // counts the positions that were asked for: only the newest is shown
  useEffect(() => { void begin(); return () => { gone.current = true; }; }, []);
  const show = async (moves: string[], newest: number): Promise<Position | null> => {
    const request = ++requests.current;
    try {
      const p = await positionAfter(game, puzzle.position, moves, newest);
      if (gone.current || request !== requests.current) return null;
      setAt(p);
      return p;
    } catch (e) {
      setTrouble(messageOf(e));
      return null;
    }
  };
  const begin = async (newest = line.current.length): Promise<void> => {
    part.current = [];
    const p = await show(line.current, newest);
    if (!p) return;
    turnBegan.current = p;
    setPhase("asked");
    const wanted = puzzle.turns[turn.current].moves;
    if (wanted.length === 1 && wanted[0] === "pass") { // nothing else is legal
      setNews({ text: say("puzzles.pass"), kind: "" });
      setTimeout(() => { if (!gone.current) void play("pass"); }, 2 * pause);
    }
  };
  const play = async (move: string): Promise<void> => {
    const asked = puzzle.turns[turn.current], before = turnBegan.current!;
    setTrouble("");
    part.current = [...part.current, move];
    setPhase("busy");
    const p = await show([...line.current, ...part.current], line.current.length);
    if (!p) return;
    if (sameTurn(part.current, asked.moves)) return right(asked, p);
    if (part.current.length < asked.moves.length && !p.over) return setPhase("asked");
    await wrong(asked, before, p);
  };
  const right = async (asked: Turn, p: Position): Promise<void> => {
    const newest = line.current.length + asked.moves.length;
    line.current = [...line.current, ...part.current, ...(asked.reply ?? [])];
    turn.current++;
    if (turn.current === puzzle.turns.length) return finish();
    setNews({ text: say("puzzles.right", { reply: names(p, asked.reply!), side: sideName(game, against(puzzle.side)) }), kind: "good" });
    setTimeout(() => { if (!gone.current) void begin(newest); }, pause);
  };
  const fail = (): void => {
    record(game, puzzle, null);
    setClean(false);
  };
  const finish = (): void => {
    record(game, puzzle, clean);
    onSolved();
    onTried(true);
    const text = say(clean ? "puzzles.solved" : "puzzles.solved.later");
    setNews({ text: puzzle.turns.length < puzzle.wins_in ? `${text} ${say("puzzles.solved.sure")}` : text, kind: "good" });
    setPhase("solved");
  };
  const wrong = async (asked: Turn, before: Position, p: Position): Promise<void> => {
    fail();
    onTried(false);
    const tried = part.current, legal = p.legal.map((m) => m.move);
    const refutation = asked.refutations.find((r) => !r.moves || r.moves.length === 0 || (tried.length === 1 && r.moves.includes(tried[0])));
    const reply = (refutation?.reply ?? []).filter((m) => legal.includes(m)).slice(0, asked.moves.length);
    const side = sideName(game, against(puzzle.side));
    const move = names(before, tried);
    setNews({ text: reply.length > 0 ? say("puzzles.wrong", { move, side, reply: names(p, reply) }) : say("puzzles.wrong.end", { move }), kind: "bad" });
    setPhase("wrong");
    if (reply.length === 0) return;
    await new Promise((done) => setTimeout(done, pause));
    if (!gone.current && part.current === tried) await show([...line.current, ...tried, ...reply], line.current.length + tried.length);
  };
  const again = (): void => { setNews({ text: say("puzzles.find"), kind: "" }); void begin(); };
  const hint = (): void => {
    fail();
    const first = puzzle.turns[turn.current].moves.find((m) => !part.current.includes(m)) ?? "";
    const m = at?.legal.find((l) => l.move === first);
    setNews({ text: say(m?.from === undefined ? "puzzles.hint.put" : "puzzles.hint.from", { cell: m?.from === undefined ? first : first.slice(0, first.length / 2) }), kind: "" });
  };
  const reveal = async (): Promise<void> => {
    fail();
    setPhase("busy");
    const before = turnBegan.current!, rest = puzzle.turns.slice(turn.current).flatMap((t) => [...t.moves, ...(t.reply ?? [])]);
    await show([...line.current, ...rest], line.current.length);
    setNews({ text: say("puzzles.solution", { moves: names(before, rest) }), kind: "" });
    setPhase("shown");
  };
  const names = (before: Position, moves: string[]): string => notated(game, before.board.cells, moves).join(" ");
  const active = phase === "asked", ended = phase === "solved" || phase === "shown";
  const themes = ended ? puzzle.themes.filter((t) => has(`theme.${t}`)).map((t) => say(`theme.${t}`)) : []; // they would give the solution away
  const onMove = (m: Move): void => void play(m.move);
  return (
    <>
      <div class="stage">
        <div class="seat goal"><p>{goalOf(game, puzzle)}</p></div>
        <div class="boardbox">{at && <Trainer game={game} at={at} side={puzzle.side} active={active} onMove={onMove} onTrouble={setTrouble} />}</div>
        <div class="seat"><p class="facts">{[...themes, say("puzzles.difficulty", { n: puzzle.difficulty })].join(" · ")}</p></div>
      </div>
      <aside class="panel" aria-label={say("panel.title")} data-phase={phase} data-ply={at?.ply}>
        <News text={news.text || say("puzzles.find")} said={news.text || listed([goalOf(game, puzzle), say("puzzles.difficulty", { n: puzzle.difficulty })])} kind={news.kind} />
        {trouble && <p class="trouble" role="alert">{trouble}</p>}
        <div class="bar">
          {phase === "wrong" && !run && <button class="main" onClick={again}>{say("puzzles.again")}</button>}
          {ended && !run && <button class="main" onClick={next}>{say("puzzles.next")}<Icon name="forward" /></button>}
          {active && !run && <button onClick={hint}>{say("puzzles.hint")}</button>}
          {(active || phase === "wrong") && !run && <button onClick={() => void reveal()}>{say("puzzles.show")}</button>}
          {!ended && !run && <button onClick={next}>{say("puzzles.skip")}</button>}
        </div>
        {at && <TypedMove game={game} at={at} active={active} onMove={onMove} onTrouble={setTrouble} />}
        {children}
        <p class="facts"><a href={`/learn/${game}`}>{say("puzzles.learn", { game: gameTitle(game) })}</a></p>
        <details class="rules"><summary>{say("puzzles.proof")}</summary><p>{say(`puzzles.proof.${puzzle.wins_in > 0 ? (has(`puzzles.proof.${game}`) ? game : "all") : "endgame"}`, { n: Math.max(3, puzzle.wins_in) })}</p></details>
      </aside>
    </>
  );
}
