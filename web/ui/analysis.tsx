// The page of the analysis board: a tree of variations, the engine's lines, comments and
// glyphs. /analysis/GAME is private, /study/ID is shared.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { JSX } from "preact";
import { Analysing } from "./analysing";
import { Board, type Value } from "./board";
import { first, useKeptFocus } from "./focus";
import { attackedKings } from "./men";
import { MoveList } from "./movelist";
import { NodeTools } from "./nodetools";
import { badgeOf, countText, positionQuery } from "./notation";
import { begin, keepDraft, type Opened } from "./opening";
import { Piece } from "./pieces";
import { Search } from "./search";
import { Gauge, SearchBox, useSearch } from "./searchbox";
import { Sharing, Title } from "./sharing";
import type { WrittenMove } from "./shots";
import { Step } from "./step";
import { drawShapes } from "./store";
import { sides, type Side } from "./types";
import { boot, chessmen, dress, gameTitle, say, setupPage, sideName } from "./words";

export function Main(): JSX.Element {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [trouble, setTrouble] = useState("");
  useEffect(() => void begin().then(setOpened, (e: Error) => setTrouble(e.message)), []);
  if (opened) return <Page {...opened} />;
  return (
    <main id="main" class="table study analysis">
      <h1 class="hidden">{say("analysis.name")}</h1>
      <div class="stage"><div class="seat" /><div class="boardbox loading" /><div class="seat" /></div>
      <aside class="panel" aria-label={say("analysis.name")}>
        <p class={trouble ? "trouble" : "state"} role="status">{trouble || say("loading")}</p>
      </aside>
    </main>
  );
}

/** Page reads no state itself: each part does, so that a step draws only what it changes. */
function Page({ a, sync }: Opened): JSX.Element {
  const search = useMemo(() => new Search(a.start), [a]);
  useSearch(a, search);
  useKeys(a);
  useKeptFocus(() => first('.tree [aria-current="step"]'));
  useEffect(() => (sync ? sync.follow() : keepDraft(a)), [a, sync]);
  useEffect(() => { document.title = say("analysis.title", { game: gameTitle(a.game) }); }, [a]);
  return (
    <main id="main" class="table study analysis" data-ready="true">
      <h1 class="hidden">{say("analysis.title", { game: gameTitle(a.game) })}</h1>
      <div class="stage">
        <Seat a={a} above />
        <div class="boardbox"><Gauge a={a} search={search} /><Position a={a} search={search} /></div>
        <Seat a={a} above={false} />
      </div>
      <aside class="panel" aria-label={say("analysis.name")}>
        {sync && <Title a={a} sync={sync} />}
        <State a={a} />
        <SearchBox a={a} search={search} />
        <Steps a={a} />
        <MoveList a={a} />
        <TypedMove a={a} />
        <NodeTools a={a} />
        {!boot.local && <Sharing a={a} sync={sync} />}
        <Ways a={a} />
        <p class="hidden" role="status" aria-live="polite">{a.said}</p>
      </aside>
    </main>
  );
}

const none: WrittenMove[] = [];

/** Position is the board with the node's shapes and, in Othello, the engine's values. */
function Position({ a, search }: { a: Analysing; search: Search }): JSX.Element | null {
  const shot = a.shot.value, n = a.node.value, facts = a.facts.value, draws = a.drawing.value !== "";
  if (!shot || !a.shots.board) return null;
  const lines = n.shapes.map((s) => ({ from: s.from ?? s.to, to: s.to, color: s.color }));
  if (draws && a.drawnFrom.value >= 0) lines.push({ from: a.drawnFrom.value, to: a.drawnFrom.value, color: a.drawing.value || "green" });
  return (
    <Board
      game={a.game} board={{ ...a.shots.board, cells: shot.cells, note: shot.note }} label={say("board.label", { game: gameTitle(a.game) })} flip={a.flip.value} shapes={drawShapes()} steps
      legal={draws ? none : facts?.legal ?? none} last={n.parent ? [n] : none} turn={shot.turn} stone={shot.turn === "second" ? "2" : "1"}
      marks={{ attacked: chessmen(a.game) && facts?.turn ? attackedKings(shot.cells) : [] }} lines={lines} values={valuesOf(a, search)} quiet={search.values.value && search.on.value}
      onMove={(m) => void a.play([m.move])} onIllegal={(m) => void a.refuse(m)} onCell={draws ? (cell) => a.drawAt(cell) : undefined}
      onLine={a.editable ? (l) => a.draw(l.from, l.to, l.color ?? "green") : undefined}
    />
  );
}

/** valuesOf returns the value of each legal Othello move, in discs. */
function valuesOf(a: Analysing, search: Search): Map<number, Value> | undefined {
  const found = search.found.value, facts = a.facts.value;
  if (!search.values.value || !found || !facts) return undefined;
  const best = found.lines[0]?.score;
  return new Map(found.lines.flatMap((l) => {
    const to = facts.legal.find((m) => m.move === l.pv[0])?.to;
    return to === undefined ? [] : [[to, { text: l.text.replace(/^.*: /, ""), best: l.score === best }] as [number, Value]];
  }));
}

/** Seat names a side, and marks the side to move. */
function Seat({ a, above }: { a: Analysing; above: boolean }): JSX.Element {
  const side: Side = above === a.flip.value ? "first" : "second";
  const turn = a.facts.value?.turn === side;
  return (
    <div class={`seat${turn ? " turn" : ""}`}>
      <svg class="badge" viewBox="-10 -10 20 20" {...dress(a.game)} aria-hidden="true"><Piece game={a.game} code={badgeOf(a.game, side)} shapes={drawShapes()} /></svg>
      <span class="who"><span class="name">{sideName(a.game, side)}</span></span>
    </div>
  );
}

/** State shows whose turn it is, or the result. */
function State({ a }: { a: Analysing }): JSX.Element {
  const f = a.facts.value, shot = a.shot.value, winner = sides.find((s) => f?.result === `${s} wins`);
  const text = winner ? say("status.wins", { side: sideName(a.game, winner) }) : f?.result === "draw" ? say("status.draw") : shot ? say("status.turn", { side: sideName(a.game, shot.turn) }) : say("loading");
  return (
    <div class="news"><div class="status">
      <p class="state">{text}</p>
      <p class="facts">{[gameTitle(a.game), shot ? countText(a.game, shot) : ""].filter(Boolean).join(" · ")}</p>
      {a.trouble.value && <p class="trouble" role="alert">{a.trouble.value}</p>}
    </div></div>
  );
}

function Steps({ a }: { a: Analysing }): JSX.Element {
  const n = a.node.value;
  return (
    <div class="steps" data-legal={a.facts.value?.legal.length}>
      <Step icon="first" name={say("moves.first")} off={!n.parent} go={() => a.step(-Infinity)} />
      <Step icon="back" name={say("moves.back")} off={!n.parent} go={() => a.step(-1)} />
      <span class="at">{say("analysis.at", { n: n.ply })}</span>
      <Step icon="flip" name={say("act.flip")} pressed={a.flip.value} go={() => { a.flip.value = !a.flip.value; }} />
      <Step icon="forward" name={say("moves.forward")} off={n.children.length === 0} go={() => a.step(1)} />
      <Step icon="newest" name={say("analysis.end")} off={n.children.length === 0} go={() => a.step(Infinity)} />
    </div>
  );
}

/** TypedMove is a field for moves in notation; a pass has a button. */
function TypedMove({ a }: { a: Analysing }): JSX.Element {
  const [text, setText] = useState("");
  const submit = async (e: Event): Promise<void> => {
    e.preventDefault();
    if (await a.typed(text)) setText("");
  };
  const legal = a.facts.value?.legal ?? none, pass = legal.length === 1 && legal[0].to === undefined;
  return (
    <form class="typed" onSubmit={(e) => void submit(e)}>
      <input value={text} maxLength={20} autocomplete="off" autocapitalize="off" spellcheck={false} aria-label={say("study.type")} placeholder={say("study.type")} onInput={(e) => setText(e.currentTarget.value)} />
      {pass ? <button type="button" onClick={() => void a.play([legal[0].move])}>{say("review.retry.pass")}</button> : <button>{say("study.play")}</button>}
    </form>
  );
}

/** Ways are links that open the selected position elsewhere. */
function Ways({ a }: { a: Analysing }): JSX.Element | null {
  const f = a.facts.value;
  if (!f) return null;
  const query = positionQuery(f.position);
  return (
    <p class="facts ways-on">
      <a href={`/editor/${a.game}?${query}`}>{say("analysis.edit")}</a>
      {f.turn && <a href={`${setupPage}?game=${a.game}&${query}`}>{say("editor.play")}</a>}
    </p>
  );
}

/** useKeys steps through the tree by keys that no other element handles. */
function useKeys(a: Analysing): void {
  useEffect(() => {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => a.step(-1), ArrowRight: () => a.step(1), ArrowUp: () => a.aside(-1), ArrowDown: () => a.aside(1), Home: () => a.step(-Infinity), End: () => a.step(Infinity),
    };
    const key = (e: KeyboardEvent): void => {
      if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || (e.target as Element).closest("input, textarea, select, dialog, summary")) return;
      const act = actions[e.key];
      if (!act) return;
      act();
      e.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [a]);
}
