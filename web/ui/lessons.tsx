// The page of lessons: the rules of a game, learnt by playing.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { call } from "./api";
import { Icon } from "./icon";
import { Absent, Heard, messageOf, News, positionAfter, sameTurn, Trainer, TypedMove, useTrainerFocus, useTrouble, type Position } from "./trainer";
import { learnt } from "./store";
import { useSyncedProgress } from "./syncprogress";
import type { Move, Side } from "./types";
import { boot, gameTitle, phrase, say, setupPage } from "./words";

interface Step {
  title: string;
  text: string;
  position: string;
  task: string;
  hint: string;
  done: string;
  side: Side;
  turns: string[][] | null; // null if every turn does
}

export function Main(): JSX.Element {
  useSyncedProgress();
  const game = boot.id!;
  const [steps, setSteps] = useState<Step[] | null>(null);
  const [n, setN] = useState(0);
  const [trouble, setTrouble] = useTrouble();
  useEffect(() => {
    call<{ steps: Step[] }>("GET", `/api/lessons?game=${game}`).then((a) => {
      setSteps(a.steps.map((s) => ({ ...s, title: phrase(s.title), text: phrase(s.text), task: phrase(s.task), hint: phrase(s.hint), done: phrase(s.done) })));
      const done = learnt.peek()[game] ?? [];
      setN(Math.max(0, a.steps.findIndex((_, i) => !done.includes(i))));
    }, (e) => setTrouble(messageOf(e)));
  }, []);
  const done = learnt.value[game] ?? [];
  useTrainerFocus();
  return (
    <main id="main" class="table study training" data-ready={steps !== null}>
      <h1 class="hidden">{say("lessons.title", { game: gameTitle(game) })}</h1>
      {steps?.length === 0 ? <Absent game={game} text={say("lessons.none", { game: gameTitle(game) })} /> : steps ? (
        <Learn key={n} game={game} step={steps[n]} n={n} all={steps.length} trouble={trouble} setTrouble={setTrouble} next={n + 1 < steps.length ? () => setN(n + 1) : undefined}>
          <ol class="lesson-steps">
            {steps.map((s, i) => (
              <li key={s.title}><button class="plain" aria-current={i === n ? "step" : undefined} onClick={() => setN(i)}>{i + 1}. {s.title} {done.includes(i) && <span class="done">{say("lessons.did")}</span>}</button></li>
            ))}
          </ol>
        </Learn>
      ) : (
        <>
          <div class="stage"><div class="seat" /><div class="boardbox loading" /><div class="seat" /></div>
          <aside class="panel" aria-label={say("panel.title")}><p class="state" role="status">{trouble || say("loading")}</p></aside>
        </>
      )}
      <Heard />
    </main>
  );
}

/** Learn is one step. */
function Learn({ game, step, n, all, next, trouble, setTrouble, children }: { game: string; step: Step; n: number; all: number; next?: () => void; trouble: string; setTrouble: (t: string) => void; children: JSX.Element }): JSX.Element {
  const [at, setAt] = useState<Position | null>(null);
  const [phase, setPhase] = useState<"busy" | "asked" | "missed" | "done">("busy");
  const turn = useRef<string[]>([]);
  const gone = useRef(false);
  const requests = useRef(0); // counts the positions that were asked for: only the newest is shown
  const show = async (moves: string[]): Promise<Position | null> => {
    const request = ++requests.current;
    try {
      const p = await positionAfter(game, step.position, moves, 0);
      if (gone.current || request !== requests.current) return null;
      setAt(p);
      return p;
    } catch (e) {
      setTrouble(messageOf(e));
      return null;
    }
  };
  const begin = async (): Promise<void> => {
    turn.current = [];
    if (await show([])) setPhase("asked");
  };
  useEffect(() => { setTrouble(""); void begin(); return () => { gone.current = true; }; }, []);
  const play = async (m: Move): Promise<void> => {
    setTrouble("");
    setPhase("busy");
    turn.current = [...turn.current, m.move];
    const p = await show(turn.current);
    if (!p) return;
    if (!p.over && p.turn === step.side && turn.current.length < 2) return setPhase("asked");
    if (step.turns && !step.turns.some((t) => sameTurn(t, turn.current) || (p.over && t.includes(turn.current[0]) && turn.current.length < t.length))) return setPhase("missed");
    const before = learnt.peek()[game] ?? [];
    if (!before.includes(n)) learnt.value = { ...learnt.peek(), [game]: [...before, n] };
    setPhase("done");
  };
  const active = phase === "asked";
  return (
    <>
      <div class="stage">
        <div class="seat goal"><p>{say("lessons.step", { n: n + 1, all, title: step.title })}</p></div>
        <div class="boardbox">{at && <Trainer game={game} at={at} side={step.side} active={active} onMove={(m) => void play(m)} onTrouble={setTrouble} />}</div>
        <div class="seat" />
      </div>
      <aside class="panel" aria-label={say("panel.title")} data-phase={phase} data-ply={at?.ply}>
        <News text={phase === "done" ? step.done : phase === "missed" ? step.hint : step.task} said={phase === "done" ? step.done : phase === "missed" ? step.hint : `${say("lessons.step", { n: n + 1, all, title: step.title })}. ${step.text} ${step.task}`} kind={phase === "done" ? "good" : phase === "missed" ? "bad" : ""} />
        <p class="lesson-text">{step.text}</p>
        {trouble && <p class="trouble" role="alert">{trouble}</p>}
        <div class="bar">
          {phase === "missed" && <button class="main" onClick={() => void begin()}>{say("puzzles.again")}</button>}
          {phase === "done" && next && <button class="main" onClick={next}>{say("lessons.next")}<Icon name="forward" /></button>}
          {phase === "done" && !next && <a class="button main" href={`/puzzles/${game}`}>{say("lessons.puzzles")}</a>}
          {phase === "done" && !next && <a class="button" href={`${setupPage}?game=${game}`}>{say("lessons.play")}</a>}
          {phase === "done" && <button onClick={() => void begin()}>{say("lessons.repeat")}</button>}
        </div>
        {at && <TypedMove game={game} at={at} active={active} onMove={(m) => void play(m)} onTrouble={setTrouble} />}
        {children}
      </aside>
    </>
  );
}
