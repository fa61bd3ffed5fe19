// The positions of a tree. The server plays through whole lines, so that stepping along
// a line needs no request. Positions are cached.

import { call, replay } from "./api";
import type { Node, Tree } from "./tree";
import { rootId } from "./tree";
import type { Board, Move, Side } from "./types";

/** Shot is a position as the board shows it. */
export interface Shot {
  cells: string[];
  turn: Side;
  note: string;
}

export interface WrittenMove extends Move {
  san: string;
}

/** Facts are a position's board, legal moves and result. */
export interface Facts {
  game: string;
  position: string;
  start: string;
  moves: WrittenMove[]; // that lead to it
  legal: WrittenMove[];
  board: Board;
  turn: Side | null;
  result: string;
  reason: string;
  book?: BookMove[]; // best first
}

/** BookMove is a move of the opening book. */
export interface BookMove {
  move: string;
  score: number; // hundredths of a disc, for the side to move
  depth: number;
  line: string[];
}

/** Start is the root position of a tree. */
export interface Start {
  game: string;
  options?: Record<string, string>;
  position?: string;
}

/** factsOf fetches the position after some moves. */
export const factsOf = (start: Start, moves: string[]): Promise<Facts> => call("POST", "/api/analysis/position", { ...start, moves });

function changed(cells: string[], changes: Record<string, string>): string[] {
  const next = cells.slice();
  for (const [cell, piece] of Object.entries(changes)) next[Number(cell)] = piece;
  return next;
}

/** Shots are the known positions by the ids of their nodes. */
export class Shots {
  readonly shots = new Map<string, Shot>();
  readonly facts = new Map<string, Facts>();
  board: Board | null = null; // of the start: its labels hold for all

  constructor(readonly start: Start) {}

  /** load loads the positions of all nodes of a path. */
  async load(path: Node[]): Promise<void> {
    const r = await replay({ ...this.start, moves: path.map((n) => n.move) });
    this.board ??= r.board;
    let { cells } = this.once(rootId, () => ({ cells: r.board.cells, turn: r.turn, note: r.board.note }));
    r.frames.forEach((f, i) => {
      const before = cells;
      ({ cells } = this.once(path[i].id, () => ({ cells: changed(before, f.changes), turn: f.turn, note: f.note })));
    });
  }

  /** know caches the facts of a node. */
  know(id: string, f: Facts): void {
    this.facts.set(id, f);
    this.board ??= f.board;
    this.once(id, () => ({ cells: f.board.cells, turn: f.turn ?? "first", note: f.board.note }));
  }

  /** once returns the position of a node, made if it is not cached. A position never changes: an equal copy would draw the board again. */
  private once(id: string, make: () => Shot): Shot {
    let shot = this.shots.get(id);
    if (!shot) this.shots.set(id, shot = make());
    return shot;
  }

  /** missing returns the end of a line that is not loaded yet, if any, to be preloaded when idle. */
  missing(tree: Tree): string | undefined {
    for (const n of tree.nodes.values()) if (!this.shots.has(n.id)) return tree.end(n.id);
    return undefined;
  }

  /** rename moves the cached facts of a node to its new id. */
  rename(from: string, to: string): void {
    for (const map of [this.shots, this.facts] as Map<string, unknown>[]) {
      if (map.has(from)) map.set(to, map.get(from));
    }
  }
}
