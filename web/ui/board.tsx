// The board: one drawing for every game, size and theme, and every way of putting
// a move on it (tap, drag, keys). To assistive technology it is a grid of named
// cells, of which one at a time takes the focus, and each of which can be pressed.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Board as Picture, Move } from "./types";
import { choose, early, origins, targets, type Choice } from "./choice";
import { Icon } from "./icon";
import { arrow, cellAt, cellsBetween, metrics, type Place } from "./metrics";
import { cellName, type Marks } from "./cell";
import { cellOrder, many, slideOf, useCells, useChanges, viewBox } from "./drawing";
import { Drawn, EdgeLabels, type Line, Grid, Ground, Labels, Lines } from "./ground";
import { Piece } from "./pieces";
import { closer, far, kept, whole, type Window } from "./zoom";
import { dress, say } from "./words";

export interface Props {
  game: string;
  board: Picture;
  label: string;
  legal?: Move[]; // the moves that who looks may play now
  early?: { mine: string; shifts: boolean }; // it is not their turn: a move may be meant for later
  last?: Move[];
  pending?: Move[]; // sent, or meant for later
  flip?: boolean;
  shapes?: boolean;
  quiet?: boolean; // no dots where moves end
  stone?: string; // the side whose stones are pending, "1" or "2"
  turn?: string | null; // whose it is: when one's own has ended, the whole board is shown
  marks?: { attacked?: number[]; won?: Set<number> }; // kings that are attacked, cells that have decided the game
  lines?: Line[]; // arrows and circles that the page draws; who looks may draw others
  onLine?: (line: Line) => void; // takes those that the right button draws
  values?: Map<number, Value>; // what a move to a cell is worth
  steps?: boolean; // after a mouse or finger, arrows step through the game
  onIllegal?: (m: Move | null) => void; // what was tried is no move; null if it was not even one piece's
  onMove?: (m: Move) => void;
  onEarly?: (m: Move | null) => void;
  onCell?: (cell: number) => void; // for set-up: every cell can be chosen
  onPaint?: (cell: number, begins: boolean, erases: boolean) => void; // for the editor: strokes of the mouse or a finger, the right button erases
}

const stepping = ["ArrowLeft", "ArrowRight", "Home", "End", " "]; // keys that step through a game
const some = 16; // dots that are shown even where every empty cell has one
const tiny = 30; // CSS pixels: where cells are smaller, a finger's first tap comes closer
const after = 600; // milliseconds for which a click is that of the pointer before

/** Board draws a position and takes moves. */
export function Board(p: Props): JSX.Element {
  const m = useMemo(() => metrics(p.board, !!p.flip, true), [p.board.rows.length, p.board.cols.length, p.flip]);
  const [picked, setPicked] = useState(-1);
  const [chosen, setChosen] = useState({ row: -1, col: -1 }); // not its number, which changes with the size of the board
  const setFocus = (cell: number): void => setChosen({ row: Math.floor(cell / m.cols), col: cell % m.cols });
  const { row, col } = chosen.row >= 0 && chosen.row < m.rows && chosen.col < m.cols ? chosen : { row: Math.floor(m.rows / 2), col: Math.floor(m.cols / 2) };
  const focus = row * m.cols + col;
  const [close, setClose] = useState<Window | null>(null); // the part of the board that is shown
  const [drag, setDrag] = useState<{ cell: number; x: number; y: number } | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const down = useRef({ x: 0, y: 0, cell: -1, was: -1, touch: false });
  const keyed = useRef(true); // the board is used by keys, so that arrows go from cell to cell
  const pressing = useRef(false);
  const [drawn, setDrawn] = useState<Line[]>([]); // arrows and circles by the right button
  const begun = useRef(-1); // the cell at which one was begun
  useEffect(() => setDrawn([]), [p.board.cells]);
  const [bad, setBad] = useState({ cell: -1, n: 0 }); // where something illegal was tried
  const pan = useRef<{ x: number; y: number; from: Window; to: Window } | null>(null); // the board is drawn along by a finger
  const played = useRef(false); // since the turn began
  const pointed = useRef(-after); // when the last pointer was lifted
  const stroke = useRef<{ at: Place; erases: boolean } | null>(null); // the stroke that is being painted
  const view = close ?? whole(m);
  const legal = p.legal ?? [], pending = p.pending ?? [];
  const starts = useMemo(() => origins(legal), [legal]);
  const ends = useMemo(() => targets(legal, picked), [legal, picked]);
  const focused = !!svg.current?.contains(document.activeElement);
  useLayoutEffect(() => { // cells of a board that is turned round, or has another size, are made anew, and the focus stays on its own
    if (focused) svg.current!.querySelector<SVGGElement>(`[data-cell="${focus}"]`)?.focus();
  }, [m]);
  /** takes reports whether the piece of a cell can be picked up, for a move or a premove. */
  const takes = (cell: number): boolean => starts.has(cell) || (!!p.early?.shifts && p.board.cells[cell].startsWith(p.early.mine));
  useLayoutEffect(() => { if (picked >= 0 && !takes(picked)) setPicked(-1); }); // whatever else has changed, what is in hand stays there
  useEffect(() => setClose(null), [m]);
  useEffect(() => { // who has played wants to see what comes of it; who watches looks on
    if (played.current) setClose(null);
    played.current = false;
  }, [p.turn]);

  useEffect(() => { // labels have one size on the screen, whatever the board's
    const box = svg.current!;
    const size = 0.8 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const fit = new ResizeObserver(() => box.style.setProperty("--label", String(Math.min(close ? m.unit : m.label, (size * view.width) / box.clientWidth))));
    fit.observe(box);
    return () => fit.disconnect();
  }, [m, view.width]);

  const done = (c: Choice): void => {
    setPicked(c.picked);
    if (!c.move) return;
    if (p.early) return void p.onEarly?.(c.move);
    played.current = true;
    p.onMove?.(c.move);
  };
  const step = (cell: number, from = picked): void => {
    if (p.onCell) return p.onCell(cell);
    if (p.early) {
      if (pending.length > 0) p.onEarly?.(null);
      return done(early(p.board.cells, p.early.mine, p.early.shifts, from, cell));
    }
    const chosen = choose(legal, from, cell);
    done(chosen);
    if (!chosen.move && chosen.picked < 0 && legal.length > 0) refuse(from, cell);
  };
  /** refuse answers an illegal move: the piece shakes, and the reason is announced. */
  const refuse = (from: number, cell: number): void => {
    const puts = legal.some((m) => m.from === undefined && m.to !== undefined);
    if (from === cell || (from < 0 && !puts && p.board.cells[cell] === "")) return; // nothing was tried
    setBad({ cell: from >= 0 ? from : cell, n: bad.n + 1 });
    const name = (c: number): string => cellName(p.board, c);
    p.onIllegal?.(puts ? { move: name(cell), to: cell } : from >= 0 ? { move: name(from) + name(cell), from, to: cell } : null);
  };
  useEffect(() => {
    if (bad.cell < 0) return;
    const timer = setTimeout(() => setBad({ ...bad, cell: -1 }), 700);
    return () => clearTimeout(timer);
  }, [bad.n]);
  /** tap handles a click or tap. On tiny cells, a finger's first tap zooms in. */
  const tap = (cell: number, touch: boolean): void => {
    if (touch && !close && small()) return setClose(closer(m, cell, svg.current!.getBoundingClientRect().width));
    step(cell);
  };
  const small = (): boolean => (svg.current!.getBoundingClientRect().width / m.width) * m.unit < tiny;

  const place = (e: PointerEvent): Place => {
    const { x, y } = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.current!.getScreenCTM()!.inverse());
    return { x, y };
  };
  const at = (e: PointerEvent): number => cellAt(m, place(e));
  const onPointerDown = (e: PointerEvent): void => {
    keyed.current = false;
    pressing.current = true;
    if (p.onPaint && !close && !(e.pointerType === "touch" && small())) return beginStroke(e);
    if (e.button === 2 && p.steps) begun.current = at(e);
    if (e.button !== 0) return;
    if (drawn.length > 0) setDrawn([]);
    const cell = at(e);
    if (cell < 0) return;
    if (close) pan.current = { x: e.clientX, y: e.clientY, from: close, to: close };
    down.current = { x: e.clientX, y: e.clientY, cell, was: picked, touch: e.pointerType === "touch" };
    if (takes(cell) && !ends.has(cell) && !pan.current) {
      svg.current!.setPointerCapture(e.pointerId);
      if (picked !== cell) setPicked(cell);
    } else down.current.was = -2;
  };
  /** beginStroke paints a cell, and those that the pointer crosses until it is released. */
  const beginStroke = (e: PointerEvent): void => {
    const cell = at(e);
    if (cell < 0 || (e.button !== 0 && e.button !== 2)) return;
    svg.current!.setPointerCapture(e.pointerId);
    stroke.current = { at: place(e), erases: e.button === 2 };
    setFocus(cell);
    p.onPaint!(cell, true, stroke.current.erases);
  };
  const continueStroke = (e: PointerEvent): void => {
    const from = stroke.current!.at, to = place(e);
    for (const cell of cellsBetween(m, from, to)) p.onPaint!(cell, false, stroke.current!.erases);
    stroke.current!.at = to;
  };
  const onPointerMove = (e: PointerEvent): void => {
    if (stroke.current) return continueStroke(e);
    const d = down.current;
    const moved = Math.hypot(e.clientX - d.x, e.clientY - d.y) >= (pan.current ? 10 : 5);
    if (pan.current) return moved || d.cell < 0 ? draw(e) : undefined;
    if (d.cell < 0 || d.was === -2 || (!drag && !moved)) return;
    setDrag({ cell: d.cell, ...place(e) });
  };
  /** draw pans the board; cells are rendered again when the finger is lifted. */
  const draw = (e: PointerEvent): void => {
    const box = svg.current!.getBoundingClientRect(), { x, y, from } = pan.current!;
    if (down.current.cell >= 0) svg.current!.setPointerCapture(e.pointerId);
    down.current.cell = -1;
    const to = kept(m, { ...from, x: from.x + ((x - e.clientX) / box.width) * from.width, y: from.y + ((y - e.clientY) / box.height) * from.height });
    pan.current!.to = to;
    svg.current!.setAttribute("viewBox", viewBox(to));
  };
  /** mark draws an arrow from the cell where the right button was pressed, or a circle around it. Drawing it again removes it. */
  const mark = (to: number, e: PointerEvent): void => {
    const from = begun.current;
    begun.current = -1;
    pressing.current = false;
    if (from < 0 || to < 0) return;
    if (p.onLine) return p.onLine({ from, to, color: colorOf(e) });
    const rest = drawn.filter((l) => l.from !== from || l.to !== to);
    setDrawn(rest.length < drawn.length ? rest : [...drawn, { from, to }]);
  };
  const onPointerUp = (e: PointerEvent): void => {
    if (stroke.current) {
      stroke.current = null;
      pressing.current = false;
      pointed.current = e.timeStamp;
      return;
    }
    if (e.button === 2) return mark(at(e), e);
    const d = down.current;
    down.current = { ...d, cell: -1 };
    if (pan.current && pan.current.to !== pan.current.from) setClose(pan.current.to);
    pan.current = null;
    pressing.current = false;
    pointed.current = e.timeStamp;
    if (d.cell < 0) return;
    const cell = at(e);
    if (drag) {
      setDrag(null);
      if (cell < 0 || cell === d.cell) return;
      if (p.early || legal.some((l) => l.from === d.cell && l.to === cell)) return step(cell, d.cell);
      setPicked(-1);
      return refuse(d.cell, cell);
    }
    if (cell !== d.cell) return;
    setFocus(cell);
    if (d.was === -2) tap(cell, d.touch);
    else if (d.was === cell) setPicked(-1); // a second tap puts it down
    else if (p.early && pending.length > 0) p.onEarly?.(null);
  };
  /** stop cancels a touch that was not a tap, and restores the selection. */
  const stop = (): void => {
    stroke.current = null;
    if (down.current.cell >= 0 && down.current.was !== -2) setPicked(down.current.was);
    down.current.cell = -1;
    pan.current = null;
    pressing.current = false;
    setDrag(null);
    svg.current!.setAttribute("viewBox", viewBox(view));
  };
  /** A click without a pointer is that of assistive technology, which presses a cell. */
  const onClick = (e: MouseEvent): void => {
    const cell = (e.target as Element).closest("[data-cell]")?.getAttribute("data-cell");
    if (!cell || e.timeStamp - pointed.current < after) return;
    setFocus(Number(cell));
    step(Number(cell));
  };

  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (p.steps && !keyed.current && stepping.includes(e.key)) return; // the page steps through the game
    keyed.current = true;
    const here = Number((e.target as Element).closest("[data-cell]")?.getAttribute("data-cell") ?? focus); // keys may come faster than pictures
    if (e.key === "Enter" || e.key === " ") step(here);
    else if (e.key === "Escape") { setPicked(-1); setClose(null); p.onEarly?.(null); }
    else {
      const next = arrow(m, here, e.key);
      if (next < 0) return;
      setFocus(next);
      if (close && far(close, m.place(next))) setClose(closer(m, next, svg.current!.clientWidth));
      svg.current!.querySelector<SVGGElement>(`[data-cell="${next}"]`)?.focus();
    }
    e.preventDefault();
    e.stopPropagation();
  };

  // If a stone may go anywhere, dots carry no information.
  const dots = !p.quiet && (picked >= 0 || ends.size <= some || ends.size < p.board.cells.filter((c) => c === "").length);
  const lastCells = new Set<number>();
  for (const l of p.last ?? []) for (const c of [l.from, l.to]) if (c !== undefined) lastCells.add(c);
  const marks = (cell: number): Marks => ({
    last: lastCells.has(cell),
    newest: !!p.last?.some((l) => l.to === cell),
    slide: slideOf(m, p.last?.at(-1), cell),
    picked: picked === cell,
    hint: ends.has(cell) && dots,
    legal: ends.has(cell),
    start: starts.has(cell),
    takes: takes(cell),
    pending: pending.some((l) => l.to === cell || l.from === cell),
    lifted: drag?.cell === cell,
    bad: bad.cell === cell,
    attacked: !!p.marks?.attacked?.includes(cell),
    won: !!p.marks?.won?.has(cell),
    leaves: pending.some((l) => l.from === cell),
    value: p.values?.get(cell)?.text,
    best: p.values?.get(cell)?.best,
  });
  const changes = useChanges(p.board.cells, p.last?.at(-1), m);
  const drawnCell = useCells(p.game, m);
  const order = useMemo(() => cellOrder(m), [m]);
  const lively = legal.length > 0 || !!p.early || !!p.onCell;
  const drawing = (
    <svg
      ref={svg} class={`board ${p.board.points ? "points" : "squares"}${many(p.board)}${lively ? " lively" : ""}${close ? " close" : ""}${p.onPaint ? " paint" : ""}`} {...dress(p.game)}
      viewBox={viewBox(view)} role="grid" aria-label={p.label} aria-rowcount={m.rows} aria-colcount={m.cols}
      onPointerDown={onPointerDown} onPointerMove={onPointerMove} onPointerUp={onPointerUp}
      onPointerCancel={stop} onKeyDown={onKeyDown} onClick={onClick} onContextMenu={p.steps || p.onPaint ? (e) => e.preventDefault() : undefined}
    >
      <Ground m={m} points={p.board.points} />
      {p.board.points ? <Lines m={m} cells={p.board.cells} /> : <Grid m={m} game={p.game} />}
      {!close && <Labels m={m} board={p.board} />}
      {order.map((row, i) => (
        <g key={i} role="row">
          {row.map((cell) => drawnCell(cell, { m, cell, board: p.board, game: p.game, shapes: !!p.shapes, marks: marks(cell), tab: cell === focus ? 0 : -1, ghost: ghost(p, cell), change: changes.get(cell) }))}
        </g>
      ))}
      {drawn.length + (p.lines?.length ?? 0) > 0 && <Drawn m={m} lines={[...(p.lines ?? []), ...drawn]} />}
      {close && <EdgeLabels m={m} board={p.board} view={close} />}
      {drag && (
        <g class="drag" transform={`translate(${drag.x} ${drag.y}) scale(1.15)`} aria-hidden="true">
          <Piece game={p.game} code={p.board.cells[drag.cell]} shapes={!!p.shapes} />
        </g>
      )}
    </svg>
  );
  // Cells must not listen for the focus themselves: Chromium lets Tab stop at every part of a drawing that does.
  const onFocus = (e: FocusEvent): void => {
    const cell = (e.target as Element).getAttribute("data-cell");
    if (!pressing.current && (e.target as Element).matches(":focus-visible")) keyed.current = true;
    if (cell !== null) setFocus(Number(cell));
  };
  return (
    <div class="boardwrap" style={{ "--ratio": m.width / m.height }} onFocusCapture={onFocus}>
      {drawing}
      {close && <button type="button" class="icon away" aria-label={say("board.whole")} title={say("board.whole")} onClick={() => setClose(null)}><Icon name="whole" /></button>}
    </div>
  );
}

/** Value is the value of a move to a cell, and whether it is the best. */
export interface Value {
  text: string;
  best: boolean;
}

/** colorOf returns the colour of an arrow by its modifier keys. */
const colorOf = (e: PointerEvent): Line["color"] => (e.shiftKey ? "red" : e.altKey ? "blue" : e.ctrlKey ? "yellow" : "green");

/** ghost is the translucent piece of a premove. */
function ghost(p: Props, cell: number): string {
  const m = p.pending?.find((l) => l.to === cell);
  if (!m) return "";
  return m.from === undefined ? `${p.stone ?? "1"}o` : p.board.cells[m.from];
}
