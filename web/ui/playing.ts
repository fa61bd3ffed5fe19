// A game on this device: it answers the page of a game as the server would, from the engine in the page.

import { signal } from "@preact/signals";
import { locally, newKey, Trouble } from "./api";
import type { Command, Link } from "./connection";
import { keep, people, stored, unsaved, type Kept } from "./keeping";
import type { Facts } from "./shots";
import { pace } from "./store";
import { other, type Request, type Side, type View } from "./types";
import { gameFact, say } from "./words";

const between = 500; // milliseconds for which a move is seen before an engine's reply

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export class Playing implements Link {
  readonly up = signal<boolean | undefined>(true);
  readonly watching = signal<number | undefined>(undefined);
  /** the view that was shown last */
  readonly view = signal<View | null>(null);
  private events = 0;
  private count = 0; // of the changes of the game: what an engine says of an earlier one is dropped
  private drawOffered = false;

  constructor(public game: Kept, private hear: (v: View & { kind: "state" }) => void) {
    void this.show().catch((e: Trouble) => this.hear(this.failed(e)));
    addEventListener("storage", (e) => { if (e.key === null || e.key.endsWith(game.id)) this.isNewest(); });
    addEventListener("pageshow", (e) => { if (e.persisted) this.isNewest(); }); // pages that are left hear of no change
  }

  /** again is needed by no game that is here. */
  again(): void {}

  /** send does what a player says. */
  async send(c: Command): Promise<unknown> {
    const side = c.side as Side;
    switch (c.do) {
      case "move": return this.move(c.move!, c.ply!);
      case "takeback": return this.takeBack();
      case "resign": return this.end(`${other(side)} wins`, "resignation");
      case "offer": this.drawOffered = true; return this.show();
      case "accept": return c.what === "draw" && this.drawOffered ? this.end("draw", "agreement") : undefined;
    }
    throw new Trouble(say("problem.request", { why: c.do }), 400);
  }

  private async move(move: string, ply: number): Promise<void> {
    if (ply !== this.game.moves.length || this.game.result !== "ongoing") throw new Trouble("", 409, "stale");
    await this.change([...this.game.moves, move]);
    void this.think();
  }

  /** change replaces the moves, if the rules allow them. */
  private async change(moves: string[]): Promise<void> {
    const now = ++this.count, facts = await this.factsAfter(moves);
    if (now !== this.count || !this.isNewest()) throw new Trouble("", 409, "stale");
    this.drawOffered = false;
    const over = facts.result !== "ongoing";
    this.store({ moves: facts.moves.map((m) => m.move), result: facts.result, reason: over ? facts.reason || "rules" : "" });
    this.tell(facts);
  }

  private store(change: Partial<Kept>): void {
    this.game = { ...this.game, ...change, updated: new Date().toISOString() };
    keep(this.game);
  }

  /** takeBack takes back the last move of a person, and what an engine replied. */
  private async takeBack(): Promise<void> {
    const v = this.view.peek()!, own = people(this.game), at = await this.turns();
    let n = v.moves.length - 1;
    while (n > 0 && !own.includes(at[n])) n--;
    if (n < 0 || !own.includes(at[n])) throw new Trouble(say("problem.illegal"), 422);
    await this.change(v.moves.slice(0, n));
  }

  /** turns returns the side that made each move. */
  private async turns(): Promise<Side[]> {
    const { game, options, position, moves } = this.game;
    const r = await locally<{ turn: Side; frames: { turn: Side }[] }>("POST", "/api/replay", { game, options, position, moves });
    return [r.turn, ...r.frames.map((f) => f.turn)].slice(0, moves.length);
  }

  private async end(result: string, reason: string): Promise<void> {
    if (!this.isNewest()) return;
    this.count++;
    this.store({ result, reason });
    await this.show();
  }

  /** show tells the page the game as it is stored, and goes on with it. */
  private async show(): Promise<void> {
    this.tell(await this.factsAfter(this.game.moves));
    void this.think();
  }

  /** isNewest reports whether the game is as it is stored. If not, it takes what another window has made of it; a game that was deleted is stored again. */
  private isNewest(): boolean {
    const now = stored(this.game.id);
    if (!now || !("v" in now)) keep(this.game);
    else if (now.updated !== this.game.updated && unsaved.peek()?.id !== now.id) {
      this.count++;
      this.game = now;
      void this.show().catch(() => {});
      return false;
    }
    return true;
  }

  private factsAfter(moves: string[]): Promise<Facts> {
    const { game, options, position } = this.game;
    return locally("POST", "/api/analysis/position", { game, options, position, moves });
  }

  /** think plays the moves of an engine while it is its turn. */
  private async think(): Promise<void> {
    const v = this.view.peek()!, engine = v.turn && this.game.seats[v.turn].engine;
    if (!engine || v.state !== "live") return;
    const { game, options, position, moves, seed } = this.game, now = this.count;
    try {
      const [found] = await Promise.all([
        locally<{ move: string }>("POST", "/engine/move", { game, options, position, moves, level: engine, seed: seed + moves.length }),
        wait(pace.peek() ? between : 0),
      ]);
      if (now === this.count) await this.move(found.move, moves.length);
    } catch (e) {
      if (now === this.count) this.hear(this.failed(e as Trouble));
    }
  }

  /** hint returns the move of the strongest search that a page can wait for. */
  async hint(): Promise<string> {
    const { game, options, position, moves } = this.game;
    return (await locally<{ move: string }>("POST", "/engine/move", { game, options, position, moves })).move;
  }

  /** note stores the state of an upload. It does not change when the game was updated. */
  note(of: Pick<Kept, "study" | "upload">): void {
    this.isNewest();
    this.game = { ...this.game, ...of };
    keep(this.game);
  }

  /** uploadKey returns the idempotency key for uploading the current state of the game. Retries use the same key, also in another window, so a lost response does not lead to a second study. */
  uploadKey(): string {
    this.isNewest();
    const { id, updated } = this.game, now = stored(id), upload = now && "v" in now ? now.upload : this.game.upload;
    this.note({ upload: upload?.of === updated ? upload : { key: newKey(), of: updated } });
    return this.game.upload!.key;
  }

  /** record returns the game as a record. */
  async record(): Promise<string> {
    const { game, options, position, moves, seats, result, reason, created } = this.game;
    const players = [seats.first.name, seats.second.name], date = created.slice(0, 10).replaceAll("-", ".");
    return (await locally<{ record: string }>("POST", "/engine/record", { game, options, position, moves, players, date, result, reason })).record;
  }

  private tell(f: Facts): void {
    const { game, options, seats, result, reason, id, created, updated } = this.game;
    const over = result !== "ongoing", asked: Request[] = this.drawOffered ? ["draw"] : [];
    const v: View = {
      id, url: "", game, title: gameFact(game).title, sides: { first: gameFact(game).sides[0], second: gameFact(game).sides[1] }, options,
      state: over ? "over" : "live", ply: f.moves.length, turn: over ? null : f.turn, moves: f.moves.map((m) => m.move), start: f.start, position: f.position,
      board: f.board, legal: over ? [] : f.legal, last: f.moves.at(-1), clock: null, clocks: null, running: false, free: 0, seats,
      asked: { first: asked, second: asked }, presence: { first: null, second: null }, result, reason, private: false, unlisted: false, delay: 0, watching: 0,
      you: people(this.game), created, updated, events: ++this.events,
    };
    this.view.value = v;
    this.hear({ ...v, kind: "state" });
  }

  /** failed is the message that something went wrong with the engine in the page. */
  private failed(e: Trouble): any {
    return { kind: "fault", reason: "", error: e.message };
  }
}
