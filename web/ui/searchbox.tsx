// The engine beside the analysis board: its switch, its lines, and the evaluation bar.

import { useEffect, useState } from "preact/hooks";
import { computed, effect } from "@preact/signals";
import type { JSX } from "preact";
import type { Analysing } from "./analysing";
import { Icon } from "./icon";
import { everyMove, wanted, type Line, type Search } from "./search";
import type { Facts } from "./shots";
import { language, lookOf, phrase, say, sideName } from "./words";

const shown = 8; // moves of a line
const shownBook = 3; // moves of the opening book

/** useSearch runs the engine on the selected position while the page is visible. */
export function useSearch(a: Analysing, search: Search): void {
  useEffect(() => {
    const look = (): void => search.look(a.tree.path(a.node.peek().id).map((n) => n.move));
    const id = computed(() => a.node.value.id); // a comment on the move is no other position
    const stop = effect(() => {
      id.value; search.on.value;
      if (!search.values.value) search.lines.value; // else all are asked for, however many are shown
      look();
    });
    document.addEventListener("visibilitychange", look);
    addEventListener("pagehide", () => search.stop(), { once: true });
    return () => { stop(); document.removeEventListener("visibilitychange", look); search.stop(); };
  }, [a, search]);
}

/** SearchBox has the switch and the lines. Its height depends only on the number of lines, so that nothing below moves. */
export function SearchBox({ a, search }: { a: Analysing; search: Search }): JSX.Element {
  const on = search.on.value, many = search.lines.value, facts = a.facts.value;
  const lines = search.found.value?.lines.slice(0, many) ?? [];
  const over = facts !== undefined && facts.turn === null;
  return (
    <section class="card engine-box" aria-label={say("analysis.engine")} data-on={on} data-depth={search.found.value?.depth ?? 0}>
      <div class="bar">
        <button class={on ? "" : "main"} onClick={() => { search.on.value = !on; }}><Icon name={on ? "pause" : "engine"} />{say(on ? "analysis.stop" : "analysis.go")}</button>
        <label class="field inline">{say("analysis.lines")}
          <select value={many} onChange={(e) => { wanted.value = { ...wanted.value, [a.game]: Number(e.currentTarget.value) }; }}>{[1, 2, 3, 4, 5].map((n) => <option key={n} value={n}>{n}</option>)}</select>
        </label>
        {a.game === "othello" && <label class="check"><input type="checkbox" checked={everyMove.value} onChange={(e) => { everyMove.value = e.currentTarget.checked; }} /><span>{say("analysis.values")}</span></label>}
      </div>
      <p class={search.trouble.value ? "trouble" : "note"}>{search.trouble.value || progress(search, over)}</p>
      <Heard search={search} over={over} />
      {a.game === "othello" && <p class="note book">{bookText(facts)}</p>}
      <ol class="engine-lines" style={{ "--lines": many }} onKeyDown={walk} aria-label={facts?.turn ? say("analysis.for", { side: sideName(a.game, facts.turn) }) : say("analysis.engine")}>
        {lines.map((l, i) => <LineRow key={i} l={l} onPlay={(n) => void a.play(l.pv.slice(0, n))} />)}
      </ol>
    </section>
  );
}

const settled = 1_500; // milliseconds for which the best move has not changed before it is announced

/** Heard is what screen readers announce of the search: the best line once its first move lasts, and why the search ended. Every depth would be too much. */
function Heard({ search, over }: { search: Search; over: boolean }): JSX.Element {
  const [heard, setHeard] = useState("");
  const f = search.found.value, best = f?.lines[0], on = search.on.value;
  const waits = search.trouble.value || (search.place.value > 0 || over || !best ? progress(search, over) : "");
  const key = !on ? "" : waits || `${best!.san[0]} ${f!.reason}`;
  useEffect(() => {
    const timer = setTimeout(() => setHeard(!on ? "" : waits || bestText(search)), on ? settled : 0);
    return () => clearTimeout(timer);
  }, [key]);
  return <p class="hidden" role="status">{heard}</p>;
}

/** bestText describes the best line that is known by now. */
function bestText(search: Search): string {
  const f = search.found.peek(), best = f?.lines[0];
  if (!best) return "";
  const text = say("analysis.heard", { score: phrase(best.text), line: best.san.slice(0, 3).join(" "), depth: f.depth });
  return f.reason ? `${text} ${say(`analysis.ended.${f.reason}`)}` : text;
}

/** bookText lists the best moves of the opening book. */
function bookText(facts: Facts | undefined): string {
  if (!facts?.book) return say("analysis.book.none");
  const moves = facts.book.slice(0, shownBook).map((m) => `${m.move}\u00a0${signed.format(m.score / 100)}`).join(" · ");
  return say("analysis.book", { moves, depth: facts.book[0].depth });
}

function LineRow({ l, onPlay }: { l: Line; onPlay: (moves: number) => void }): JSX.Element {
  return (
    <li>
      <b class={`worth${l.proved ? " proved" : ""}`}>{phrase(l.text)}</b>
      {l.san.slice(0, shown).map((m, i) => <button key={i} class="move" tabIndex={i === 0 ? 0 : -1} onClick={() => onPlay(i + 1)}>{m}</button>)}
    </li>
  );
}

/** walk moves the focus along a line's moves by arrow keys, which then do not step through the game. */
function walk(e: KeyboardEvent): void {
  const all = [...(e.currentTarget as Element).querySelectorAll<HTMLElement>("button")], by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
  if (!by) return;
  all[all.indexOf(e.target as HTMLElement) + by]?.focus();
  e.preventDefault();
  e.stopPropagation();
}

const short = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero" });
const seconds = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** progress shows the depth and the nodes of the search. */
function progress(search: Search, over: boolean): string {
  const f = search.found.value;
  if (over) return say("analysis.over");
  if (search.place.value > 0) return say("review.queued", { place: search.place.value });
  if (!f || f.lines.length === 0) return say(search.on.value ? "analysis.begins" : "analysis.off");
  const text = say("analysis.depth", { depth: f.depth, nodes: short.format(f.nodes), seconds: seconds.format(f.time / 1000) });
  return f.reason ? `${text} ${say(`analysis.ended.${f.reason}`)}` : text;
}

/** Gauge shows the winning chances of the first side beside the board. */
export function Gauge({ a, search }: { a: Analysing; search: Search }): JSX.Element | null {
  const best = search.found.value?.lines[0], turn = a.shot.value?.turn;
  const result = a.facts.value?.result;
  const decided = result === "first wins" ? 1 : result === "second wins" ? 0 : result === "draw" ? 0.5 : undefined;
  const chance = decided ?? (best && turn ? (turn === "first" ? best.chance : 1 - best.chance) : undefined);
  const text = chance === undefined ? say("analysis.gauge.none") : say("analysis.gauge", { side: sideName(a.game, "first"), chances: new Intl.NumberFormat(language, { style: "percent" }).format(chance) });
  return (
    <div class={`gauge${a.flip.value ? " flipped" : ""}${chance === undefined ? " unknown" : ""}${lookOf(a.game).light ? " white-first" : ""}`} role="img" aria-label={text} title={text}>
      <i style={{ height: `${Math.round((chance ?? 0.5) * 100)}%` }} />
    </div>
  );
}
