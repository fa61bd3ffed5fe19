// Choosing pits: by tapping cells, at random, or balanced.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { replay } from "./api";
import { Board } from "./board";
import { cellName } from "./cell";
import { drawShapes } from "./store";
import type { Board as Picture, GameFact } from "./types";
import { say } from "./words";

interface Props {
  game: GameFact;
  options: Record<string, string>;
  onPits: (text: string) => void;
}

/** Pits shows the board with its pits, to be changed. */
export function Pits({ game, options, onPits }: Props): JSX.Element {
  const [board, setBoard] = useState<Picture | null>(null);
  const [many, setMany] = useState("4");
  const [open, setOpen] = useState(!!options.pits);
  const size = options.size ?? "";
  useEffect(() => {
    const plain = { ...options };
    delete plain.pits;
    let late = false; // another size has been chosen since
    const set = (b: Picture | null): void => { if (!late) setBoard(b); };
    replay({ game: game.name, options: plain }).then((r) => set(r.board), () => set(null));
    return () => { late = true; };
  }, [size, game.name]);
  const chosen = new Set((options.pits ?? "").split(",").filter((t) => t !== ""));
  if (!board) return <div class="pits loading" />;
  const free = board.cells.map((c, i) => (c === "" ? i : -1)).filter((i) => i >= 0);
  const most = Math.min(free.length, Math.floor(board.cells.length / 2));
  const give = (names: Iterable<string>): void => onPits([...names].join(","));
  const toggle = (cell: number): void => {
    const name = cellName(board, cell);
    if (board.cells[cell] !== "") return;
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    give(next);
  };
  const draw = (balanced: boolean): void => give(pick(free, board.cells.length, Math.min(Number(many) || 0, most), balanced).map((i) => cellName(board, i)));
  const onKey = (e: KeyboardEvent): void => {
    if (e.key !== "Enter") return;
    e.preventDefault(); // the game is not begun by it
    draw(false);
  };
  const cells = board.cells.map((c, i) => (chosen.has(cellName(board, i)) ? "#" : c));
  return (
    <details class="pits" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>{say("pits.count", { n: chosen.size })}</summary>
      <p class="note">{say("pits.text")}</p>
      <Board game={game.name} board={{ ...board, cells }} label={say("pits.board")} onCell={toggle} shapes={drawShapes()} />
      <div class="bar">
        <label class="field inline">{say("pits.many")}
          <input type="number" min={0} max={most} value={many} onInput={(e) => setMany(e.currentTarget.value)} onKeyDown={onKey} />
        </label>
        <button type="button" onClick={() => draw(false)}>{say("pits.random")}</button>
        <button type="button" onClick={() => draw(true)}>{say("pits.balanced")}</button>
        <button type="button" onClick={() => give([])}>{say("pits.clear")}</button>
      </div>
    </details>
  );
}

/**
 * pick chooses random cells. Balanced ones come in pairs symmetric about the centre of
 * the board, as the start position is, so that neither side is favoured.
 */
function pick(free: number[], count: number, many: number, balanced: boolean): number[] {
  const left = free.slice();
  const chosen: number[] = [];
  while (chosen.length < many && left.length > 0) {
    const cell = left.splice(Math.floor(Math.random() * left.length), 1)[0];
    const facing = count - 1 - cell;
    if (!balanced) { chosen.push(cell); continue; }
    if (chosen.length + 2 > many) break; // an odd one has no partner
    chosen.push(cell, facing);
    left.splice(left.indexOf(facing), 1);
  }
  return chosen;
}
