// The moves of a tree: the main line, each variation indented below the move that it
// replaces, with comments.

import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { effect } from "@preact/signals";
import type { JSX } from "preact";
import type { Analysing } from "./analysing";
import { showCurrent, useShownCurrent } from "./scroll";
import { rootId, rowsOf, type Node, type Row } from "./tree";
import { lookOf, say } from "./words";

const deepest = 6; // levels that are indented further than the one before

/**
 * MoveList shows the moves. It is drawn again when the tree changes, not when another
 * node is looked at: with 500 moves that would take longer than a step may.
 */
export function MoveList({ a }: { a: Analysing }): JSX.Element {
  a.changes.value;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => mark(list.current!, a.at.peek()));
  useEffect(() => effect(() => mark(list.current!, a.at.value)), [a]);
  useShownCurrent(list, []);
  const row = useRows(a);
  const choose = (e: MouseEvent): void => {
    const id = (e.target as Element).closest("[data-node]")?.getAttribute("data-node");
    if (id) a.go(id);
  };
  return (
    <section class="moves" aria-label={say("moves.title")}>
      <div ref={list} class="list tree" onClick={choose}>
        <p class="row"><button class="move start" data-node={rootId} tabIndex={-1}>{say("analysis.start")}</button><Comment n={a.tree.root} /></p>
        {rowsOf(a.tree).map(row)}
      </div>
    </section>
  );
}

/** useRows caches the drawings of unchanged rows, so that an edit draws one row and not 500 moves. */
function useRows(a: Analysing): (row: Row) => JSX.Element {
  const begins = a.begins.value;
  const drawn = useMemo(() => new Map<string, { row: Row; drawing: JSX.Element }>(), [a, begins]);
  const number = numbering(a);
  return (row) => {
    let kept = drawn.get(row.key);
    if (!kept || !sameRow(kept.row, row)) drawn.set(row.key, kept = { row, drawing: drawRow(row, number) });
    return kept.drawing;
  };
}

/** sameRow compares nodes by identity: edits replace them. */
const sameRow = (a: Row, b: Row): boolean => a.depth === b.depth && a.moves.length === b.moves.length && a.moves.every((n, i) => n === b.moves[i]);

function drawRow({ key, depth, moves }: Row, number: Numbering): JSX.Element {
  return (
    <p key={key} class={depth > 0 ? "row variation" : "row"} style={{ "--depth": Math.min(depth, deepest) }}>
      {depth > 0 && <span class="hidden">{say("analysis.variation")} </span>}
      {moves.map((n, i) => <Entry key={n.id} n={n} number={number(n, i === 0)} />)}
    </p>
  );
}

function Entry({ n, number }: { n: Node; number: string }): JSX.Element {
  return (
    <>
      <span class="entry">
        {number && <span class="number">{number}</span>}
        <button class="move" data-node={n.id} tabIndex={-1}>{n.san}{n.glyph && <b class={`glyph-mark ${/^\?/.test(n.glyph) ? "bad" : ""}`}>{n.glyph}</b>}</button>
      </span>
      <Comment n={n} />
    </>
  );
}

const Comment = ({ n }: { n: Node }): JSX.Element | null => (n.comment ? <span class="comment">{n.comment}</span> : null);

/** Numbering returns the number before a move; begins is whether a row begins with it. */
type Numbering = (n: Node, begins: boolean) => string;

/** numbering numbers turns: "3." before a turn of the first side, "3…" before one of the second where a row begins with it. */
function numbering(a: Analysing): Numbering {
  const [turn, stonesLeft] = a.begins.value.split(" ");
  const stones = lookOf(a.game).per_turn, left = Number(stonesLeft), offset = turn === "second" ? 1 : 0;
  return (n, begins) => {
    const past = n.ply - 1 - left, count = (past < 0 ? 0 : 1 + Math.floor(past / stones)) + offset;
    const opens = n.ply === 1 || (past >= 0 && past % stones === 0);
    if (!begins && (!opens || count % 2 === 1)) return "";
    return `${Math.floor(count / 2) + 1}${count % 2 === 0 ? "." : "…"}`;
  };
}

/** mark shows in the list which node is looked at, and keeps it in view; where the list has the focus, the focus goes along. */
function mark(list: HTMLElement, id: string): void {
  const now = list.querySelector<HTMLElement>(`[data-node="${id}"]`), old = list.querySelector<HTMLElement>("[aria-current]");
  if (old && old !== now) {
    old.removeAttribute("aria-current");
    old.tabIndex = -1;
  }
  if (!now) return;
  now.setAttribute("aria-current", "step");
  now.tabIndex = 0;
  if (list.contains(document.activeElement)) now.focus({ preventScroll: true });
  showCurrent(list);
}
