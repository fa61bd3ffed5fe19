// The engine's lines for the selected position. The engine runs only while the page is
// visible: leaving it, hiding it and stepping end the request, which ends the search.

import { computed, signal } from "@preact/signals";
import type { Start } from "./shots";
import { kept } from "./store";
import { read } from "./streaming";
import { say } from "./words";

/** Line is a move with its principal variation. */
export interface Line {
  score: number;
  proved: boolean;
  chance: number; // of the side to move, 0 to 1
  text: string;
  pv: string[];
  san: string[];
}

export interface Found {
  depth: number;
  nodes: number;
  time: number; // milliseconds
  lines: Line[];
  reason: string; // why the search ended, "" while it goes on
}

type Message = Partial<Found> & { place?: number; done?: boolean };

const settle = 150; // milliseconds for which a position must be looked at before the engine is asked
const again = 3_000; // milliseconds until a request that broke off is made again
const most = 500; // positions whose lines are remembered

/** final are the reasons for which a search is not restarted. */
const final = new Set(["exact", "depth", "limit", "over"]);

/** wanted is how many lines this browser asks for, by game. */
export const wanted = kept<Record<string, number>>("lines", {});

/** everyMove turns on values for every legal move in Othello. */
export const everyMove = kept("everyMove", true);

export class Search {
  readonly on = signal(false);
  readonly found = signal<Found | null>(null); // for the position that is looked at
  readonly place = signal(0); // in the queue
  readonly trouble = signal("");
  private readonly memory = new Map<string, Found>();
  private control: AbortController | null = null;
  private timer = 0;
  private key = "";

  constructor(readonly start: Start) {}

  readonly lines = computed(() => wanted.value[this.start.game] ?? 1);
  readonly values = computed(() => this.start.game === "othello" && everyMove.value);

  /** look requests the lines after some moves, and cancels the previous request. */
  look(moves: string[]): void {
    this.stop();
    const what = this.values.peek() ? { values: true } : { lines: this.lines.peek() };
    this.key = JSON.stringify([what, moves]);
    const before = this.memory.get(this.key) ?? null;
    this.found.value = before;
    this.trouble.value = "";
    if (!this.on.peek() || document.hidden || final.has(before?.reason ?? "")) return;
    this.timer = window.setTimeout(() => void this.run({ ...this.start, moves, ...what }), settle);
  }

  /** stop ends the search. */
  stop(): void {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
    this.place.value = 0;
  }

  private async run(question: unknown): Promise<void> {
    const control = this.control = new AbortController();
    try {
      await this.stream(question, control.signal);
    } catch (e) {
      if (control.signal.aborted) return;
      const { status = 0, message } = e as { status?: number; message: string };
      this.trouble.value = status ? message : say("connection.lost");
      if (status === 0 || status === 429 || status === 503) this.timer = window.setTimeout(() => void this.run(question), again);
    }
  }

  private async stream(question: unknown, signal: AbortSignal): Promise<void> {
    const headers = { "Content-Type": "application/json" };
    await read<Message>("/api/analysis/lines", { method: "POST", headers, body: JSON.stringify(question), signal }, (m) => this.take(m), () => { this.trouble.value = ""; });
    if (signal.aborted) return;
    if (!this.found.peek()?.reason) throw new Error("the stream broke off");
  }

  private take(m: Message): void {
    if (m.place !== undefined) this.place.value = m.place;
    if (m.done) {
      this.remember({ ...(this.found.peek() ?? { depth: 0, nodes: 0, time: 0, lines: [] }), reason: m.reason! });
      if (m.reason === "running") this.trouble.value = say("problem.running.position");
      if (m.reason === "fault") this.trouble.value = say("analysis.fault");
    }
    if (!m.lines) return;
    this.place.value = 0;
    if (m.depth! < (this.found.peek()?.depth ?? 0)) return; // a search that was broken off went deeper
    this.remember({ depth: m.depth!, nodes: m.nodes!, time: m.time!, lines: m.lines, reason: "" });
  }

  private remember(found: Found): void {
    this.found.value = found;
    this.memory.delete(this.key);
    this.memory.set(this.key, found);
    if (this.memory.size > most) this.memory.delete(this.memory.keys().next().value!);
  }
}
