// The board: one drawing for every game, size and theme, and every way of putting
// a move on it (tap, drag, keys). To assistive technology it is a grid of named
// cells, of which one at a time takes the focus.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import type { Board as Picture, Move } from "./types";
import { choose, early, origins, targets, type Choice } from "./choice";
import { arrow, metrics, cellAt, type Metrics } from "./metrics";
import { Cell, type Marks } from "./cell";
import { Piece } from "./pieces";
import { say } from "./words";

export interface Props {
  game: string;
  board: Picture;
  label: string;
  legal?: Move[]; // the moves that who looks may play now
  early?: { mine: string; shifts: boolean }; // it is not their turn: a move may be meant for later
  last?: Move[];
  pending?: Move | null; // sent, or meant for later
  flip?: boolean;
  shapes?: boolean;
  quiet?: boolean; // no dots where moves end
  small?: boolean; // a picture to look at only
  onMove?: (m: Move) => void;
  onEarly?: (m: Move | null) => void;
  onCell?: (cell: number) => void; // for set-up: every cell can be chosen
}

const tiny = 26; // CSS pixels: in smaller cells, a finger aims first and plays with a second tap

/** Board draws a position and takes moves. */
export function Board(p: Props): JSX.Element {
  const m = useMemo(() => metrics(p.board, !!p.flip, !p.small), [p.board.rows, p.board.cols, p.flip, p.small]);
  const [picked, setPicked] = useState(-1);
  const [focus, setFocus] = useState(() => Math.floor(m.rows / 2) * m.cols + Math.floor(m.cols / 2));
  const [aim, setAim] = useState(-1);
  const [drag, setDrag] = useState<{ cell: number; x: number; y: number } | null>(null);
  const svg = useRef<SVGSVGElement>(null);
  const down = useRef({ x: 0, y: 0, cell: -1, was: -1, touch: false });
  const legal = p.legal ?? [];
  const starts = useMemo(() => origins(legal), [legal]);
  const ends = useMemo(() => targets(legal, picked), [legal, picked]);
  useEffect(() => { setPicked(-1); setAim(-1); }, [p.board.cells, legal.length]);

  useEffect(() => { // labels have one size on the screen, whatever the board's
    const box = svg.current!;
    const size = 0.8 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const fit = new ResizeObserver(() => box.style.setProperty("--label", String(Math.min(m.label, (size * m.width) / box.clientWidth))));
    fit.observe(box);
    return () => fit.disconnect();
  }, [m]);

  const done = (c: Choice): void => {
    setPicked(c.picked);
    setAim(-1);
    if (!c.move) return;
    if (p.early) p.onEarly?.(c.move);
    else p.onMove?.(c.move);
  };
  const step = (cell: number, from = picked): void => {
    if (p.onCell) return p.onCell(cell);
    if (p.early) {
      if (p.pending) p.onEarly?.(null);
      return done(early(p.board.cells, p.early.mine, p.early.shifts, from, cell));
    }
    done(choose(legal, from, cell));
  };
  /** tap is a step by mouse or finger: where cells are tiny, a finger aims first. */
  const tap = (cell: number, touch: boolean): void => {
    const box = svg.current!.getBoundingClientRect();
    const width = (box.width / m.width) * m.unit;
    if (touch && width < tiny && !p.onCell && aim !== cell && ends.has(cell)) return setAim(cell);
    step(cell);
  };

  const at = (e: PointerEvent): number => cellAt(m, svg.current!, e.clientX, e.clientY);
  const onPointerDown = (e: PointerEvent): void => {
    if (e.button !== 0) return;
    const cell = at(e);
    if (cell < 0) return;
    down.current = { x: e.clientX, y: e.clientY, cell, was: picked, touch: e.pointerType === "touch" };
    const takes = starts.has(cell) || (p.early?.shifts && p.board.cells[cell].startsWith(p.early.mine));
    if (takes && !ends.has(cell)) {
      svg.current!.setPointerCapture(e.pointerId);
      if (picked !== cell) setPicked(cell);
    } else down.current.was = -2;
  };
  const onPointerMove = (e: PointerEvent): void => {
    const d = down.current;
    if (d.cell < 0 || d.was === -2) return;
    if (!drag && Math.hypot(e.clientX - d.x, e.clientY - d.y) < 5) return;
    const box = svg.current!.getBoundingClientRect();
    setDrag({ cell: d.cell, x: ((e.clientX - box.left) / box.width) * m.width, y: ((e.clientY - box.top) / box.height) * m.height });
  };
  const onPointerUp = (e: PointerEvent): void => {
    const d = down.current;
    down.current = { ...d, cell: -1 };
    if (d.cell < 0) return;
    const cell = at(e);
    if (drag) {
      setDrag(null);
      if (cell >= 0 && cell !== d.cell) step(cell, d.cell);
      return;
    }
    if (cell !== d.cell) return;
    setFocus(cell);
    if (d.was === -2) tap(cell, d.touch);
    else if (d.was === cell) setPicked(-1); // a second tap puts it down
    else if (p.early && p.pending) p.onEarly?.(null);
  };
  const stop = (): void => { down.current.cell = -1; setDrag(null); };

  const onKeyDown = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const here = Number((e.target as Element).closest("[data-cell]")?.getAttribute("data-cell") ?? focus); // keys may come faster than pictures
    if (e.key === "Enter" || e.key === " ") step(here);
    else if (e.key === "Escape") { setPicked(-1); setAim(-1); p.onEarly?.(null); }
    else {
      const next = arrow(m, here, e.key);
      if (next < 0) return;
      setFocus(next);
      svg.current!.querySelector<SVGGElement>(`[data-cell="${next}"]`)?.focus();
    }
    e.preventDefault();
    e.stopPropagation();
  };

  const few = !p.quiet && (ends.size <= p.board.cells.filter((c) => c === "").length / 2 || picked >= 0);
  const lastCells = new Set<number>();
  for (const l of p.last ?? []) for (const c of [l.from, l.to]) if (c !== undefined) lastCells.add(c);
  const marks = (cell: number): Marks => ({
    last: lastCells.has(cell),
    newest: !!p.last?.some((l) => l.to === cell),
    slide: slideOf(m, p.last?.at(-1), cell),
    picked: picked === cell,
    hint: ends.has(cell) && few,
    legal: ends.has(cell),
    start: starts.has(cell),
    pending: p.pending?.to === cell || p.pending?.from === cell,
    aim: aim === cell,
    lifted: drag?.cell === cell,
  });
  const order = cellOrder(m);
  const interactive = !p.small;
  const lively = legal.length > 0 || !!p.early || !!p.onCell;
  return (
    <svg
      ref={svg} class={`board ${p.board.points ? "points" : "squares"}${lively ? " lively" : ""}`} data-game={p.game}
      viewBox={`0 0 ${m.width} ${m.height}`} role={interactive ? "grid" : "img"} aria-label={p.label}
      aria-rowcount={interactive ? m.rows : undefined} aria-colcount={interactive ? m.cols : undefined}
      style={{ "--ratio": m.width / m.height }}
      onPointerDown={interactive ? onPointerDown : undefined} onPointerMove={onPointerMove} onPointerUp={onPointerUp}
      onPointerCancel={stop} onKeyDown={interactive ? onKeyDown : undefined}
    >
      <rect class="frame" aria-hidden="true" x={m.left} y={m.top} width={m.cols * m.unit} height={m.rows * m.unit} />
      {p.board.points && <Lines m={m} cells={p.board.cells} />}
      {!p.small && <Labels m={m} board={p.board} />}
      {order.map((row, i) => (
        <g key={i} role={interactive ? "row" : undefined}>
          {row.map((cell) => (
            <Cell key={cell} m={m} cell={cell} board={p.board} game={p.game} shapes={!!p.shapes} marks={marks(cell)}
              tab={interactive ? (cell === focus ? 0 : -1) : null} onFocus={setFocus} ghost={ghost(p, cell)} />
          ))}
        </g>
      ))}
      {aim >= 0 && <Aim m={m} cell={aim} />}
      {drag && (
        <g class="drag" transform={`translate(${drag.x} ${drag.y}) scale(1.15)`} aria-hidden="true">
          <Piece code={p.board.cells[drag.cell]} shapes={!!p.shapes} />
        </g>
      )}
    </svg>
  );
}

/** ghost is the piece that is shown faintly on a cell, because it is to come there. */
function ghost(p: Props, cell: number): string {
  const to = p.pending?.to;
  if (to !== cell || p.pending?.from === undefined) return "";
  return p.board.cells[p.pending.from];
}

/** slideOf returns by how much a piece has just been moved to a cell. */
function slideOf(m: Metrics, last: Move | undefined, cell: number): string | undefined {
  if (last?.from === undefined || last.to !== cell) return undefined;
  const [a, b] = [m.place(last.from), m.place(cell)];
  return `--dx:${a.x - b.x}px;--dy:${a.y - b.y}px`;
}

/** cellOrder returns the cells row by row as they are seen. */
function cellOrder(m: Metrics): number[][] {
  const rows: number[][] = [];
  for (let r = 0; r < m.rows; r++) {
    const row: number[] = [];
    for (let c = 0; c < m.cols; c++) row.push(m.cell(r, c));
    rows.push(row);
  }
  return rows;
}

function Labels({ m, board }: { m: Metrics; board: Picture }): JSX.Element {
  return (
    <g class="labels" aria-hidden="true">
      {board.rows.map((text, r) => (
        <text key={`r${r}`} x={m.left - 3.5} y={m.place(r * m.cols).y} dy="0.36em" text-anchor="end">{text}</text>
      ))}
      {board.cols.map((text, c) => (
        <text key={`c${c}`} x={m.place(c).x} y={m.top + m.rows * m.unit + 3} dy="0.9em" text-anchor="middle">{text}</text>
      ))}
    </g>
  );
}

/** Lines draws the lines of a board whose stones stand on crossings. */
function Lines({ m, cells }: { m: Metrics; cells: string[] }): JSX.Element {
  const a = m.place(0), z = m.place(cells.length - 1);
  const [x1, x2, y1, y2] = [Math.min(a.x, z.x), Math.max(a.x, z.x), Math.min(a.y, z.y), Math.max(a.y, z.y)];
  let path = "";
  for (let r = 0; r < m.rows; r++) path += `M${x1} ${y1 + r * m.unit}H${x2}`;
  for (let c = 0; c < m.cols; c++) path += `M${x1 + c * m.unit} ${y1}V${y2}`;
  const dots = m.rows === m.cols && m.rows >= 13 ? [3, (m.rows - 1) / 2, m.rows - 4].filter(Number.isInteger) : [];
  return (
    <g class="lines" aria-hidden="true">
      <path d={path} />
      {dots.flatMap((r) => dots.map((c) => <circle key={`${r} ${c}`} cx={x1 + c * m.unit} cy={y1 + r * m.unit} r="1.6" />))}
    </g>
  );
}

/** Aim shows the row and the column of the cell at which a finger aims. */
function Aim({ m, cell }: { m: Metrics; cell: number }): JSX.Element {
  const { x, y } = m.place(cell);
  return (
    <path class="aim" aria-hidden="true" d={`M${m.left} ${y}H${m.left + m.cols * m.unit}M${x} ${m.top}V${m.top + m.rows * m.unit}`}>
      <title>{say("board.aim")}</title>
    </path>
  );
}
