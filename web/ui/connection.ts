// The way to a game on the server: a socket that comes back by itself, and
// commands that are answered once.

import { signal } from "@preact/signals";
import { newKey, Trouble, troubleOf, withKey } from "./api";
import { say } from "./words";

export interface Command {
  do: string;
  move?: string;
  ply?: number;
  what?: string;
  side?: string;
}

interface Waiting {
  done: (answer: unknown) => void;
  failed: (why: Trouble) => void;
}

const beat = 5_000; // how often the server is asked for a sign of life
const silence = 12_000; // after which the connection is given up
const longest = 4_000; // between two tries to connect

/** Connection hands every message of a game's socket to hear. */
export class Connection {
  /** whether the server can be heard; undefined before the first time */
  readonly up = signal<boolean | undefined>(undefined);
  /** how many watch, as far as it has been heard */
  readonly watching = signal<number | undefined>(undefined);
  private socket?: WebSocket;
  private waiting = new Map<string, Waiting>();
  private count = 0;
  private wait = 250;
  private began = 0; // when it was begun to connect, by performance.now()
  private asked?: number; // when the sign of life was asked for that has not come yet
  private timer = 0;
  private ended = false;

  constructor(private id: string, private hear: (message: any) => void) {
    addEventListener("online", () => this.again(0));
    addEventListener("offline", () => this.lost());
    document.addEventListener("visibilitychange", () => { if (!document.hidden && !this.up.value) this.again(0); });
    setInterval(() => this.look(), beat);
    this.open();
  }

  /** again connects afresh, after a time: because a seat was taken, or the way was lost. */
  again(after: number): void {
    if (this.ended) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), after);
  }

  /** send gives a command and returns the answer. What is not answered fails, and may have been done or not. */
  send(c: Command): Promise<any> {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Trouble(say("error.connection"), 0));
    const ref = String(++this.count);
    return new Promise((done, failed) => {
      this.waiting.set(ref, { done, failed });
      socket.send(JSON.stringify({ ...c, ref, key: newKey() }));
    });
  }

  private open(): void {
    this.drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${withKey(`/api/games/${this.id}/socket?board=1`)}`);
    this.socket = socket;
    this.began = performance.now();
    this.asked = undefined;
    socket.onmessage = (e) => { if (socket === this.socket) this.take(JSON.parse(e.data)); };
    socket.onclose = () => { if (socket === this.socket) this.lost(); };
  }

  private take(message: any): void {
    this.asked = undefined;
    if (!this.up.value) this.up.value = true;
    this.wait = 250;
    if (message.kind !== "reply") return this.hear(message);
    if (message.watching !== undefined) this.watching.value = message.watching;
    const w = this.waiting.get(message.ref);
    this.waiting.delete(message.ref);
    if (message.problem) w?.failed(troubleOf(message.problem, message.status));
    else w?.done(message.done);
  }

  /**
   * look asks for a sign of life, and gives up a connection that gives none, or that
   * does not come about. It is judged by when it was asked, not by when something
   * was last heard: hidden windows look but once a minute.
   */
  private look(): void {
    const now = performance.now();
    const waits = this.socket?.readyState === WebSocket.CONNECTING ? this.began : this.asked;
    if (this.socket && waits !== undefined && now - waits > silence) return this.lost();
    if (this.socket?.readyState !== WebSocket.OPEN || this.asked !== undefined) return;
    this.asked = now;
    this.socket.send('{"do":"ping"}');
  }

  private lost(): void {
    this.drop();
    this.watching.value = undefined;
    if (this.up.value) this.up.value = false;
    this.again(this.wait);
    this.wait = Math.min(this.wait * 1.6, longest);
    if (this.wait > 1000 && this.up.value === undefined) this.up.value = false;
  }

  private drop(): void {
    const old = this.socket;
    this.socket = undefined;
    old?.close();
    for (const w of this.waiting.values()) w.failed(new Trouble(say("error.connection"), 0));
    this.waiting.clear();
  }
}
