// The state of the board editor: the pieces, the verdict of the rules, and the undo
// history.

import { computed, signal } from "@preact/signals";
import { replay, sentence, type Trouble } from "./api";
import { cellName } from "./cell";
import { leftIn, piecesOf, positionQuery, textOf, type Placement } from "./notation";
import type { Board, Replay, Side } from "./types";
import { gameFact, pieceName, say } from "./words";

const addressDelay = 300; // milliseconds: browsers refuse to change an address more than about three times a second
const undoLimit = 200;

/** Verdict says whether the rules allow the position. */
export interface Verdict {
  wrong: string; // why the position is impossible, "" if it is not
  result: string; // "ongoing", or how the game has ended
  legal: number; // moves
  note: string;
  cells: string[];
}

interface State extends Placement {
  board: Board; // its labels
}

export class Editing {
  readonly state = signal<State | null>(null);
  readonly verdict = signal<Verdict | null>(null);
  readonly tool = signal("1o"); // the piece that is put down; "" empties cells
  readonly flip = signal(false);
  readonly typed = signal<string | null>(null); // what stands in the field, while it is edited
  readonly said = signal(""); // for screen readers
  readonly past = signal<State[]>([]);
  private asked = 0; // counts the questions to the server: only the newest answer holds
  private erases = false; // the stroke that is being painted empties cells
  private timer = 0;

  constructor(readonly game: string) {
    this.tool.value = piecesOf(game).findLast((p) => p[0] === "1") ?? "";
  }

  /** text is the text form of the board. */
  readonly text = computed(() => (this.state.value ? textOf(this.game, this.state.value) : ""));

  /** ready is true if a game can start from the position. */
  readonly ready = computed(() => this.typed.value === null && this.verdict.value?.wrong === "" && this.verdict.value.result === "ongoing");

  /** open shows the position of the address, or the start. */
  async open(text: string | null): Promise<void> {
    if (text && await this.type(text)) {
      this.typed.value = null;
      return;
    }
    await this.start();
    if (!text) return;
    this.typed.value = text; // which is wrong, and can be put right
    await this.type(text);
  }

  /** start shows the start position on a board of the current size. */
  async start(): Promise<void> {
    await this.load({ options: this.sized(this.state.peek()?.cols) });
  }

  /** resize changes the size of the board and keeps the pieces that fit, centred. */
  async resize(size: number): Promise<void> {
    const old = this.state.peek()!;
    const r = await this.ask({ options: this.sized(size) });
    if (!r) return;
    const by = Math.floor((size - old.cols) / 2);
    const cells = r.board.cells.map((_, i) => {
      const row = Math.floor(i / size) - by, col = (i % size) - by;
      return row < 0 || col < 0 || row >= old.cols || col >= old.cols ? "" : old.cells[row * old.cols + col];
    });
    this.change({ ...old, cells, cols: size, board: r.board });
  }

  private sized(size: number | undefined): Record<string, string> {
    return size && gameFact(this.game).options.some((o) => o.name === "size") ? { size: String(size) } : {};
  }

  private async load(question: { options: Record<string, string> }): Promise<void> {
    const r = await this.ask(question);
    if (r) this.take(r);
  }

  /** take shows a position that the server has read. */
  private take(r: Replay): void {
    this.remember();
    this.state.value = { cells: r.board.cells, cols: r.board.cols.length, turn: r.turn, left: leftIn(this.game, r.position), board: r.board };
    this.judge(r);
  }

  /** type parses a text and reports whether it is a position. */
  async type(text: string): Promise<boolean> {
    this.typed.value = text;
    const r = await this.ask({ position: text.trim() || "-" });
    if (r) this.take(r);
    return !!r;
  }

  /** leave ends the editing of the text and shows it in canonical form. */
  leave(): void {
    if (this.typed.value !== null && this.verdict.value?.wrong === "") this.typed.value = null;
  }

  /** revert discards the typed text. */
  revert(): void {
    this.typed.value = null;
    void this.check();
  }

  /** paint puts the chosen piece on a cell. The first cell of a stroke decides whether it puts or empties: a second tap takes a piece away. */
  paint(cell: number, begins: boolean, erases = false): void {
    const s = this.state.peek()!;
    if (begins) this.erases = erases || s.cells[cell] === this.tool.peek();
    this.put(cell, this.erases ? "" : this.tool.peek(), begins);
  }

  /** put puts a piece on a cell. */
  put(cell: number, piece: string, begins = true): void {
    const s = this.state.peek()!;
    if (s.cells[cell] === piece) return this.say(cell, piece);
    const cells = s.cells.slice();
    cells[cell] = piece;
    this.change({ ...s, cells }, begins);
    this.say(cell, piece);
  }

  private say(cell: number, piece: string): void {
    const name = cellName(this.state.peek()!.board, cell);
    this.tell(say("editor.said", { cell: name, piece: pieceName(this.game, piece) }));
  }

  /** tell announces a sentence; one that comes again gets a blank, or it would not be announced. */
  private tell(text: string): void { this.said.value = this.said.peek() === text ? `${text}\u00a0` : text; }

  setTurn(turn: Side): void { this.change({ ...this.state.peek()!, turn }); }

  setLeft(left: number): void { this.change({ ...this.state.peek()!, left }); }

  clear(): void {
    const s = this.state.peek()!;
    this.change({ ...s, cells: s.cells.map(() => "") });
    this.tell(say("editor.cleared"));
  }

  /** undo takes the last change back. */
  undo(): void {
    const back = this.past.peek().at(-1);
    if (!back) return;
    this.past.value = this.past.peek().slice(0, -1);
    this.change(back, false);
    this.tell(say("editor.undone"));
  }

  /** change shows another placement and has it checked. */
  private change(next: State, undoable = true): void {
    if (undoable) this.remember();
    this.state.value = next;
    this.typed.value = null;
    void this.check();
  }

  private remember(): void {
    const now = this.state.peek();
    if (now) this.past.value = [...this.past.peek().slice(1 - undoLimit), now];
  }

  /** check asks the server whether the rules allow the position. */
  private async check(): Promise<void> {
    const r = await this.ask({ position: this.text.peek() });
    if (r) this.judge(r);
  }

  private judge(r: Replay): void {
    this.verdict.value = { wrong: "", result: r.result, legal: r.legal, note: r.board.note, cells: r.board.cells };
    this.keepAddress();
  }

  /** ask requests a position. It returns null if a newer request replaced this one, or if the position is impossible; the verdict then says so. */
  private async ask(question: { options?: Record<string, string>; position?: string }): Promise<Replay | null> {
    const n = ++this.asked;
    try {
      const r = await replay({ game: this.game, ...question });
      return n === this.asked ? r : null;
    } catch (e) {
      if (n === this.asked) this.verdict.value = { wrong: reasonOf(e as Trouble), result: "", legal: 0, note: "", cells: [] };
      return null;
    }
  }

  /** keepAddress writes the position into the address. */
  private keepAddress(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => history.replaceState(null, "", `?${positionQuery(this.text.peek())}`), addressDelay);
  }
}

/** reasonOf says why a position is impossible, without the position itself. */
function reasonOf(t: Trouble): string {
  const why = /^position "(?:[^"\\]|\\.)*": (.*)$/s.exec(t.detail)?.[1];
  return why ? sentence(why) : t.message;
}
