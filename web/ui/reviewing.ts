// The state of a review page: what the server streams, and the shown position.

import { computed, signal } from "@preact/signals";
import { call, type Trouble } from "./api";
import { notated } from "./men";
import { keyTo } from "./store";
import { read } from "./streaming";
import { numbersOf } from "./turns";
import type { Board, Both, Frame, Move, Replay, Seat, Side, View } from "./types";
import { language, playerName, say } from "./words";

export interface Ply {
  ply: number;
  side: Side;
  move: string;
  score: number; // after the move, for the side that moved
  best_score: number;
  best: string;
  pv: string[];
  loss: number; // of winning chances, 0 to 1
  judgement: "" | "?!" | "?" | "??";
  why: string; // what a marked move gave away
  lead: number; // winning chances of the first side after the move, 0 to 1
}

interface Progress {
  state: "queued" | "running" | "done";
  place: number;
  plies: Ply[]; // by ply: those that are not assessed yet, the first ones, are missing
  accuracy: Both<number>;
  turning: number;
}

export interface Review extends Progress {
  id: string;
  game: string;
  options: Record<string, string>;
  position: string;
  moves: string[];
}

/** Shot is a position and the move that led there. */
export interface Shot {
  cells: string[];
  turn: Side;
  last?: Move;
}

type Played = Replay & { moves?: Move[] };

/** Heading is what is known about the game besides its moves. */
export interface Heading {
  players: Both<string>; // "" if unknown
  result: string;
  reason: string;
  date: string;
  path: string; // of the game's page, "" if it was not played here
}

/** Line is a variation: the positions after a ply of the game. */
interface Line {
  from: number;
  shots: Shot[];
}

/** Retry is a mistake that the player retries. */
export interface Retry {
  plies: number[];
  index: number;
  legal: Move[];
  state: "ask" | "wrong" | "solved" | "shown";
  tried: string;
  put?: Move; // instead of the mistake: being assessed, or the last that was
  hinted: boolean;
}

// Milliseconds until a stream is requested again that broke off, or that the server refuses
// while a position of the review is on the board of a game in progress.
const again = 2_000, againLive = 20_000;

export class Reviewing {
  readonly review = signal<Review | null>(null);
  readonly trouble = signal("");
  readonly board = signal<Board | null>(null);
  readonly shots = signal<Shot[]>([]);
  readonly at = signal(0); // the ply that is looked at
  readonly line = signal<Line | null>(null);
  readonly step = signal(0); // how far into the line
  readonly retry = signal<Retry | null>(null);
  readonly heading = signal<Heading | null>(null);
  readonly touched = signal(false); // somebody has looked at another move than the last
  private ended = false;

  constructor(readonly id: string) {}

  /** shown is the position on the board. */
  readonly shown = computed(() => {
    const line = this.line.value;
    return line ? line.shots[this.step.value] : this.shots.value[this.at.value];
  });

  /** names are the moves of the game as players of it write them. */
  readonly names = computed(() => {
    const v = this.review.value, start = this.shots.value[0];
    return v && start ? notated(v.game, start.cells, v.moves) : v?.moves ?? [];
  });

  /** movers lists the side that made each move. */
  readonly movers = computed(() => this.shots.value.slice(0, -1).map((s) => s.turn));

  private readonly numbers = computed(() => numbersOf(this.movers.value));

  /** label returns a move of the game with its number: "7. Nc3" or "7… Nf6". */
  label(ply: number): string {
    return `${this.numbers.value[ply - 1] ?? ""} ${this.names.value[ply - 1]}`.trim();
  }

  /** ply is the assessment of the move that led to the position. */
  readonly ply = computed(() => this.review.value?.plies[this.at.value - 1]);

  /** follow follows the stream of the server until the review is done; stop ends that. */
  follow(): () => void {
    const control = new AbortController();
    void this.run(control.signal);
    return () => { this.ended = true; control.abort(); };
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!this.ended && this.review.value?.state !== "done") {
      let wait = again;
      try {
        await read<Partial<Review>>(`/api/reviews/${this.id}/events`, { signal }, (v) => this.take(v));
      } catch (e) {
        if (this.ended) return;
        const status = (e as Trouble).status ?? 0;
        this.trouble.value = status ? (e as Trouble).message : say("connection.lost");
        if (status === 404) return;
        if (status === 409) wait = againLive;
      }
      await new Promise((done) => setTimeout(done, wait));
    }
  }

  /** take applies a line of the stream: a whole review, or changes to it. */
  private async take(v: Partial<Review>): Promise<void> {
    if (!v.plies) return; // a sign of life
    this.trouble.value = "";
    const old = this.review.value;
    const plies = old?.plies.slice() ?? [];
    for (const p of v.plies) plies[p.ply - 1] = p;
    if (v.moves) {
      this.review.value = { ...(v as Review), plies };
      if (!old) await this.play(v as Review);
      return;
    }
    this.review.value = { ...old!, ...(v as Progress), plies };
  }

  /** play loads the positions of the game. */
  private async play(v: Review): Promise<void> {
    const r = await call<Played>("POST", "/api/replay", { game: v.game, position: v.position, moves: v.moves });
    this.board.value = r.board;
    this.shots.value = shotsOf({ cells: r.board.cells, turn: r.turn }, r.frames);
    this.at.value = v.moves.length;
    this.heading.value = await headingOf(v, r.result);
  }

  /** named writes moves that could be played instead of a ply, one after another, as players of the game do. */
  named(ply: number, moves: string[]): string[] {
    return notated(this.review.value!.game, this.shots.value[ply - 1].cells, moves);
  }

  /** look shows the position after a ply. */
  look(ply: number): void {
    const last = this.shots.value.length - 1;
    this.touched.value = true;
    this.line.value = null;
    this.retry.value = null;
    this.at.value = Math.max(0, Math.min(ply, last));
  }

  /** forward and back step through the game, or through the shown line. */
  go(by: number): void {
    const line = this.line.value;
    if (!line) return this.look(this.at.value + by);
    const to = this.step.value + by;
    if (to < 0) this.line.value = null;
    else this.step.value = Math.min(to, line.shots.length - 1);
  }

  /** attempt does what asks the server, and shows why it failed: a click is never without an answer. */
  private async attempt(what: () => Promise<void>): Promise<void> {
    this.trouble.value = "";
    try {
      await what();
    } catch (e) {
      this.trouble.value = (e as Error).message;
    }
  }

  /** showLine shows the best line instead of the current move, after a number of its moves. */
  showLine(step: number): Promise<void> {
    return this.attempt(() => this.loadLine(step));
  }

  private async loadLine(step: number): Promise<void> {
    const v = this.review.value!, p = this.ply.value;
    if (!p) return;
    this.touched.value = true;
    const before = this.shots.value[p.ply - 1];
    const r = await call<Played>("POST", "/api/replay", { game: v.game, position: v.position, moves: [...v.moves.slice(0, p.ply - 1), ...p.pv] });
    this.line.value = { from: p.ply - 1, shots: shotsOf(before, r.frames.slice(p.ply - 1)) };
    this.step.value = step;
  }

  /** mistakes are the plies of a side that have a mark. */
  mistakes(side: Side): number[] {
    return (this.review.value?.plies ?? []).filter((p) => p.side === side && p.judgement !== "").map((p) => p.ply);
  }

  /** startRetry starts the retry of a side's mistakes, in order. */
  startRetry(side: Side): Promise<void> {
    return this.attempt(() => this.ask(this.mistakes(side), 0));
  }

  /** nextRetry goes to the next mistake, or ends. */
  nextRetry(): Promise<void> {
    const r = this.retry.value!;
    if (r.index + 1 < r.plies.length) return this.attempt(() => this.ask(r.plies, r.index + 1));
    this.look(r.plies[r.index]);
    return Promise.resolve();
  }

  private async ask(plies: number[], index: number): Promise<void> {
    const v = this.review.value!, ply = plies[index];
    const r = await call<Played>("POST", "/api/replay", { game: v.game, position: v.position, moves: v.moves.slice(0, ply - 1), list: true });
    this.look(ply - 1);
    this.retry.value = { plies, index, legal: r.moves ?? [], state: "ask", tried: "", hinted: false };
  }

  /** tryMove asks the server to assess a move instead of the mistake. */
  async tryMove(m: Move): Promise<void> {
    const r = this.retry.value!, ply = r.plies[r.index];
    this.retry.value = { ...r, put: m };
    await this.attempt(async () => {
      const got = await call<{ move: string; accepted: boolean }>("POST", `/api/reviews/${this.id}/try`, { ply, move: m.move });
      if (this.retry.value?.index !== r.index || this.retry.value.put !== m) return; // it was about something else
      this.retry.value = { ...this.retry.value, state: got.accepted ? "solved" : "wrong", tried: got.move };
    });
    if (this.trouble.value && this.retry.value?.put === m) this.retry.value = { ...this.retry.value, put: undefined };
  }

  hint(): void {
    this.retry.value = { ...this.retry.value!, hinted: true };
  }

  /** solve shows the best line of the current mistake. */
  async solve(): Promise<void> {
    const r = this.retry.value!;
    await this.attempt(async () => {
      const before = this.at.value;
      this.at.value = r.plies[r.index];
      await this.loadLine(1).catch((e) => { this.at.value = before; throw e; });
      this.retry.value = { ...r, state: "shown" };
    });
  }
}

/** shotsOf returns the positions of frames, including the first one. */
function shotsOf(first: Shot, frames: Frame[]): Shot[] {
  const list = [first];
  for (const f of frames) {
    const cells = Object.assign(list.at(-1)!.cells.slice(), f.changes) as string[];
    list.push({ cells, turn: f.turn, last: { move: f.move, from: f.from, to: f.to } });
  }
  return list;
}

/** headingOf reads from the page's address which game is reviewed. Games with the same moves share a review, so it uses the game's names only if the moves match. */
async function headingOf(v: Review, result: string): Promise<Heading> {
  const q = new URLSearchParams(location.search), id = q.get("game");
  const given = (key: string): string => (q.get(key) ?? "").slice(0, longestName);
  const heading = { players: { first: given("first"), second: given("second") }, result, reason: "", date: given("date"), path: "" };
  if (!id) return heading;
  const key = keyTo(id), path = `/g/${encodeURIComponent(id)}`;
  const game = await call<View>("GET", `/api/games/${encodeURIComponent(id)}${key ? `?key=${encodeURIComponent(key)}` : ""}`).catch(() => null);
  if (!game || game.game !== v.game || game.moves.join() !== v.moves.join()) return heading;
  const name = (seat: Seat | null): string => (seat ? playerName(seat) : "");
  return {
    players: { first: name(game.seats.first), second: name(game.seats.second) }, result: game.result, reason: game.reason,
    date: new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(game.updated)), path: key ? `${path}?key=${encodeURIComponent(key)}` : path,
  };
}

const longestName = 80; // characters shown of a name in the address
