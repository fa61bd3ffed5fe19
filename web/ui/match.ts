// A game that is played or watched, as signals: its state on the server, all positions
// so far, and the moves that await confirmation.

import { batch, computed, signal } from "@preact/signals";
import { locally, pathOf, replay, show, sit, Trouble, troubleOf } from "./api";
import { Connection, type Command, type Link } from "./connection";
import { found } from "./choice";
import { Film } from "./film";
import { san } from "./men";
import { follow } from "./follow";
import { finish, forget, isMine, keyTo, pace, remember } from "./store";
import { mustPass, type Board, type Both, type Happening, type Move, type Presence, type Replay, type Side, type View } from "./types";
import { chessmen, say } from "./words";

/** Shot is the game after a ply: the board, whose turn it is, and the move that led there. */
export interface Shot {
  cells: string[];
  note: string;
  turn: Side | null;
  move?: Move;
}

/** Question asks the player to confirm what cannot be undone. */
export interface Question {
  sure: string; // the text of the button that says yes
  yes: () => void;
  from: HTMLElement | null; // where the focus goes back on Cancel
}

const again = 2_000; // milliseconds before a failed write or read is retried

const between = 500; // milliseconds for which a move is seen before an engine's reply
const passAfter = 1_500; // milliseconds for which a forced pass is announced before it is played

const phraseLasts = 8_000; // milliseconds for which a phrase is shown

const noise = 1_500; // milliseconds of latency that count as jitter

/** passing reports whether a failed request may succeed later. */
const passing = (e: unknown): boolean => !(e instanceof Trouble) || e.status < 400 || e.status === 429 || e.status >= 500;

export class Match {
  readonly view = signal<View | null>(null);
  /** by ply; sparse until all are loaded */
  readonly shots = signal<(Shot | undefined)[]>([]);
  /** why loading them failed */
  readonly unread = signal(false);
  /** the shown ply, or null for the newest */
  readonly looked = signal<number | null>(null);
  /** a move that awaits confirmation, or a premove */
  readonly pending = signal<Move | null>(null);
  readonly premove = signal<Move | null>(null);
  readonly trouble = signal("");
  /** plays the game through, position by position */
  readonly film = new Film(() => this.live.value, (next) => this.show(next ? this.ply.value + 1 : 0));
  readonly question = signal<Question | null>(null);
  /** when the clocks were received, by performance.now() */
  readonly told = signal(0);
  readonly happened = signal<Happening | null>(null);
  /** the presence received last, and when, by performance.now() */
  readonly presence = signal<{ of: Both<Presence | null>; at: number }>({ of: { first: null, second: null }, at: 0 });
  /** the latest phrase of a player */
  readonly said = signal<{ side: Side; phrase: string } | null>(null);
  /** what an engine suggests, to be drawn on the board */
  readonly hint = signal<{ from: number; to: number }[]>([]);
  readonly link: Link;
  private sent?: { move: Move; ply: number };
  private held?: string; // the seats that the socket knows of
  private waiting: any[] = []; // messages that come too soon to be shown
  private drawn = -between; // when the last move was
  private passing = 0; // the timer of a forced pass
  private joining = false;
  private asking = false;
  private askAgain = false;
  private loading = false;
  private behind?: number; // by how much the service time was less than performance.now(), since the clocks were told

  /** device opens a game on this device; without it, the game is the server's. */
  constructor(readonly id: string, private readonly device?: (hear: (message: any) => void) => Link) {
    if (device) {
      this.link = device((m) => this.hear(m));
      return;
    }
    const key = keyTo(id);
    if (key && !location.search) history.replaceState(null, "", pathOf(id, key)); // a copied address must carry the key
    this.link = new Connection(id, (m) => this.hear(m), (slept) => this.wake(slept), (service) => this.time(service));
    addEventListener("storage", () => { // another window took a seat; the event that reported it may have come before the cookie
      if (this.you.peek().length === 0 && isMine(id)) void this.refresh();
    });
  }

  /** spent returns the milliseconds that the running clock has used since it was received. */
  spent(): number {
    const v = this.view.value;
    return v?.running ? Math.max(0, performance.now() - this.told.value - v.free) : 0;
  }

  readonly ply = computed(() => this.looked.value ?? this.view.value?.ply ?? 0);
  readonly live = computed(() => this.looked.value === null);
  readonly you = computed<Side[]>(() => this.view.value?.you ?? []);
  /** the side that this client may move now */
  readonly acting = computed<Side | null>(() => {
    const v = this.view.value;
    return v && v.state === "live" && v.turn && v.you.includes(v.turn) && this.live.value ? v.turn : null;
  });

  /** board is the board to draw. */
  readonly board = computed<Board | null>(() => {
    const v = this.view.value;
    if (!v) return null;
    const shot = this.shots.value[this.ply.value];
    return this.live.value || !shot ? v.board : { ...v.board, cells: shot.cells, note: shot.note };
  });

  /** notation returns the move that led to a ply in the game's notation. */
  notation(ply: number): string {
    const v = this.view.value!, text = v.moves[ply - 1];
    const [before, after] = [this.shots.value[ply - 1], this.shots.value[ply]];
    return chessmen(v.game) && before && after?.move ? san(before.cells, after.move, after.cells) : text;
  }

  /** last returns the moves of the last turn: two stones, where a turn has two. */
  readonly last = computed<Move[]>(() => {
    const { value: shots } = this.shots, ply = this.ply.value;
    const moves: Move[] = [];
    for (let i = ply; i > 0 && shots[i]?.move; i--) {
      if (i < ply && shots[i - 1]?.turn !== shots[ply - 1]?.turn) break;
      moves.unshift(shots[i]!.move!);
    }
    if (moves.length === 0 && this.live.value && this.view.value?.last) return [this.view.value.last];
    return moves;
  });

  /**
   * join takes a seat. The socket may report the seat before the response arrives; its
   * spectator's view is ignored then, and the socket reconnects with the seat.
   */
  async join(side: Side, name: string): Promise<void> {
    this.joining = true;
    try {
      await sit(this.id, side, name);
      this.link.again(0);
    } catch (e) {
      void this.refresh(); // what was heard meanwhile was not taken in
      throw e;
    } finally {
      this.joining = false;
    }
  }

  /** hear handles messages in order; it holds back an engine's reply until the player's own move was visible. */
  private hear(m: any): void {
    m.at = performance.now();
    const wait = this.waiting.length > 0 ? 1 : this.tooSoon(m);
    if (wait === 0 || m.kind === "state") return this.take(m);
    this.waiting.push(m);
    if (this.waiting.length === 1) this.takeLater(wait);
  }

  /** tooSoon returns how many milliseconds a message must wait so that the move before it stays visible. */
  private tooSoon(m: any): number {
    const v = this.view.value;
    if (!pace.value || !v || m.kind !== "moved" || v.you.length !== 1 || v.you.includes(m.side) || !v.seats[m.side as Side]?.engine) return 0;
    return Math.max(0, this.drawn + between - performance.now());
  }

  private takeLater(wait: number): void {
    setTimeout(() => {
      for (let m = this.waiting[0]; m && (wait = this.tooSoon(m)) === 0; m = this.waiting[0]) {
        this.waiting.shift();
        this.take(m);
      }
      if (this.waiting.length > 0) this.takeLater(wait);
    }, wait);
  }

  private take(m: any): void {
    if (m.kind === "state") this.held = String(m.you);
    if (this.joining) return;
    if (m.kind === "state") return this.state(m);
    if (m.kind === "fault") return void (this.trouble.value = troubleOf(m, 500).message);
    if (m.kind === "presence") return this.meet(m.presence);
    if (m.kind === "said") return this.hearPhrase(m);
    const v = this.view.value;
    if (!v || m.n < v.events) return;
    this.happened.value = m;
    const next = follow(v, m);
    if (!next) return void this.refresh();
    this.accept(next, m.at);
    if (m.kind === "moved") this.drawn = performance.now();
  }

  /** meet stores the presence of the players. */
  private meet(of: Both<Presence | null>): void {
    this.presence.value = { of, at: performance.now() };
  }

  /** hearPhrase shows a phrase for a while. */
  private hearPhrase(m: { side: Side; phrase: string }): void {
    this.said.value = m;
    setTimeout(() => { if (this.said.peek() === m) this.said.value = null; }, phraseLasts);
  }

  /** wake corrects the clock after the device slept, because performance.now() stops meanwhile. */
  private wake(slept: number): void {
    this.told.value -= slept;
    this.behind = undefined;
    void this.refresh();
  }

  /** time stops the clock for as long as the server's stood; shorter differences may be latency. */
  private time(service: number): void {
    const behind = performance.now() - service;
    this.behind ??= behind;
    if (Math.abs(behind - this.behind) < noise) return;
    this.told.value += behind - this.behind;
    this.behind = behind;
  }

  /** refresh fetches the whole game. */
  async refresh(): Promise<void> {
    if (this.device) return;
    if (this.asking) return void (this.askAgain = true);
    this.asking = true;
    const v = await show(this.id).catch((e: unknown) => {
      if (this.link.up.value && passing(e)) setTimeout(() => void this.refresh(), again); // else the socket tells, when it is back
      return null;
    });
    this.asking = false;
    if (v && v.events >= (this.view.value?.events ?? 0)) this.state(v);
    if (v && this.held !== undefined && this.held !== String(v.you)) this.link.again(0); // a seat was taken in another window: the socket does not know of it
    if (this.askAgain) {
      this.askAgain = false;
      void this.refresh();
    }
  }

  /** state replaces the whole game. */
  private state(v: View): void {
    this.waiting = this.waiting.filter((m) => m.n >= v.events);
    this.meet(v.presence);
    this.accept(v);
    this.keep(v);
  }

  /** accept shows a newer state, and keeps the positions that are still part of the game. */
  private accept(v: View, at?: number): void {
    const old = this.view.value;
    this.hint.value = [];
    batch(() => {
      const same = common(old?.moves ?? [], v.moves);
      if (same < (old?.ply ?? 0)) this.premove.value = null; // it was meant for what has been taken back
      const shots = this.shots.value.slice(0, same + 1);
      shots[v.ply] = { cells: v.board.cells, note: v.board.note, turn: v.turn, move: v.last };
      this.shots.value = shots;
      this.view.value = v;
      this.tell(at);
      const { value: looked } = this.looked;
      if (looked !== null && (looked >= v.ply || !shots[looked])) this.looked.value = null; // it was taken back
      if (v.state === "over" && old?.state !== "over") this.keep(v);
      this.settle();
    });
    void this.load();
  }

  /** tell notes when the clocks were received. */
  private tell(at = performance.now()): void {
    this.told.value = at;
    this.behind = undefined;
  }

  /** keep lists the game under "Your games", unless it was aborted. */
  private keep(v: View): void {
    if (this.device) return;
    if (v.state === "over") return v.reason === "aborted" ? forget(v.id) : finish(v.id, Date.parse(v.updated) || Date.now());
    if (v.you.length > 0) remember(v.id, v.private ? new URLSearchParams(location.search).get("key") : null);
  }

  /** whole reports whether all positions are loaded. */
  private whole(): boolean {
    const shots = this.shots.value;
    for (let i = this.view.value!.ply; i >= 0; i--) if (!shots[i]) return false;
    return true;
  }

  /** load fetches missing positions, and retries on failure. */
  private async load(): Promise<void> {
    if (this.loading || this.whole()) return;
    this.loading = true;
    const { game, start, moves } = this.view.value!;
    try {
      const question = { game, position: start, moves };
      this.fill(await (this.device ? locally<Replay>("POST", "/api/replay", question) : replay(question)), moves);
      this.unread.value = false;
    } catch (e) {
      this.unread.value = true;
      if (!passing(e)) return; // nor is it asked for again
      await new Promise((done) => setTimeout(done, again));
    }
    this.loading = false;
    return this.load();
  }

  /** fill stores the positions after moves that are still part of the game. */
  private fill(r: Replay, moves: string[]): void {
    const shots = this.shots.value.slice(), same = common(moves, this.view.value!.moves);
    let { cells } = r.board;
    shots[0] = { cells, note: r.board.note, turn: r.turn };
    r.frames.slice(0, same).forEach((f, i) => {
      cells = cells.slice();
      for (const [cell, code] of Object.entries(f.changes)) cells[Number(cell)] = code;
      shots[i + 1] ??= { cells, note: f.note, turn: f.turn, move: { move: f.move, from: f.from, to: f.to } };
    });
    this.shots.value = shots;
  }

  /** settle drops a sent move once it is confirmed or obsolete, and sends a premove that is due. */
  private settle(): void {
    const v = this.view.value!;
    if (this.sent && v.ply !== this.sent.ply) { this.sent = undefined; this.pending.value = null; }
    if (v.state === "over") { this.pending.value = null; this.premove.value = null; }
    this.passSoon();
    if (this.sent) return void this.transmit(this.sent); // it was lost on its way: nothing has been played since
    const early = this.premove.value;
    if (!early || !v.turn || !v.you.includes(v.turn)) return;
    this.premove.value = null;
    const move = found(v.legal, early);
    if (move) this.play(move);
    else this.trouble.value = say("premove.gone");
  }

  /** passSoon plays a forced pass after the time that it takes to read the notice. */
  private passSoon(): void {
    clearTimeout(this.passing);
    const v = this.view.value!;
    if (v.state !== "live" || this.sent || !v.turn || !v.you.includes(v.turn) || !mustPass(v)) return;
    this.passing = window.setTimeout(() => { if (this.view.value === v) this.play(v.legal[0]); }, passAfter);
  }

  /**
   * play sends a move, and again after a lost connection as long as the ply is open.
   * Meanwhile the next move, such as a second stone, becomes a premove. It reports
   * whether the move was accepted.
   */
  play(move: Move): boolean {
    const v = this.view.value;
    if (!v) return false;
    if (this.sent) return this.mean(move);
    this.trouble.value = "";
    this.pending.value = move;
    this.sent = { move, ply: v.ply };
    void this.transmit(this.sent);
    return true;
  }

  /** mean sets or clears the premove. It ignores the move that awaits confirmation: that was a double click. */
  mean(move: Move | null): boolean {
    if (move && this.sent && move.to === this.sent.move.to && move.from === this.sent.move.from) return false;
    if (move) this.trouble.value = "";
    this.premove.value = move;
    return true;
  }

  private async transmit(s: { move: Move; ply: number }): Promise<void> {
    try {
      await this.link.send({ do: "move", move: s.move.move, ply: s.ply });
      this.trouble.value = "";
    } catch (e) {
      if (!(e instanceof Trouble) || e.status === 0) return; // the connection comes back, and tells
      if (e.status >= 500) { // it could not be written down now: it is said, and tried again
        this.trouble.value = e.message;
        setTimeout(() => { if (this.sent === s) void this.transmit(s); }, again);
        return;
      }
      if (e.code !== "stale") this.trouble.value = e.message;
      if (this.sent === s) { this.sent = undefined; this.pending.value = null; this.premove.value = null; } // which was meant for after it
    }
  }

  /** ask sends any other command, and reports whether it succeeded. */
  async ask(c: Command): Promise<boolean> {
    this.trouble.value = "";
    try {
      await this.link.send(c);
      return true;
    } catch (e) {
      this.trouble.value = (e as Error).message;
      return false;
    }
  }

  /** look shows the position after a ply; null is the newest. */
  look(ply: number | null): void {
    this.film.stop();
    this.show(ply);
  }

  private show(ply: number | null): void {
    const v = this.view.value;
    if (!v) return;
    const at = ply === null ? v.ply : Math.max(ply, 0);
    if (at >= v.ply) this.looked.value = null;
    else if (this.shots.value[at]) this.looked.value = at; // else the board at that ply is not known yet
  }
}

/** common returns how many moves two games have in common. */
function common(a: string[], b: string[]): number {
  const n = a.findIndex((m, i) => b[i] !== m);
  return n < 0 ? a.length : n;
}
