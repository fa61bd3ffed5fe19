// The connection to a game on the server: a WebSocket that reconnects by itself, and
// commands that are answered exactly once.

import { signal, type Signal } from "@preact/signals";
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

const glance = 1_000; // how often it is looked how the connection is, which costs the server nothing
const beat = 5_000; // how often the server is asked for a sign of life: the sockets that an address may have come to two thirds of the requests that it may make
const silence = 6_000; // after which a connection is given up on which something was asked
const haste = 3_000; // the same, if it may be gone: after a sleep, say
const patience = 12_000; // for one to come about
const longest = 4_000; // between two tries to connect
const leap = 1_500; // by which the time of day runs ahead of the page's own, if the device has slept
const gap = 15_000; // between two looks, if the page has

/** Link is how a page reaches its game: over a Connection, or on this device (playing.ts). */
export interface Link {
  readonly up: Signal<boolean | undefined>; // whether it answers; undefined before the first answer
  readonly watching: Signal<number | undefined>; // the latest number of spectators
  again(after: number): void;
  send(c: Command): Promise<unknown>;
}

/** Connection passes every message of a game's socket to hear. */
export class Connection implements Link {
  readonly up = signal<boolean | undefined>(undefined);
  readonly watching = signal<number | undefined>(undefined);
  private socket?: WebSocket;
  private waiting = new Map<string, Waiting>();
  private count = 0;
  private wait = 250;
  private began = 0; // when it was begun to connect, by performance.now()
  private asked?: number; // when something was asked to which no answer has come yet
  private within = silence; // in which one must come
  private pinged = 0; // when a sign of life was asked for last
  private looked = performance.now();
  private ahead = Date.now() - performance.now();
  private timer = 0;
  private ended = false;

  /**
   * hear is given every message, woke for how many milliseconds of a sleep
   * performance.now() has stood, and timed the service time now and then.
   */
  constructor(private id: string, private hear: (message: any) => void, private woke: (slept: number) => void, private timed: (service: number) => void) {
    addEventListener("online", () => this.again(0));
    addEventListener("offline", () => this.lost());
    addEventListener("pageshow", (e) => { if (e.persisted) this.wake(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.wake(); });
    setInterval(() => this.look(), glance);
    this.open();
  }

  /** again reconnects after a delay: a seat was taken, or the connection was lost. */
  again(after: number): void {
    if (this.ended) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), after);
  }

  /** send sends a command and returns the answer. Without an answer it fails; the command may have been executed. */
  send(c: Command): Promise<any> {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Trouble(say("error.connection"), 0));
    const ref = String(++this.count);
    return new Promise((done, failed) => {
      this.waiting.set(ref, { done, failed });
      socket.send(JSON.stringify({ ...c, ref, key: newKey() }));
      this.expect(silence);
    });
  }

  private open(): void {
    this.drop();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${withKey(`/api/games/${this.id}/socket?board=1&presence=1`)}`);
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
    if (message.service !== undefined) this.timed(message.service);
    const w = this.waiting.get(message.ref);
    this.waiting.delete(message.ref);
    if (message.problem) w?.failed(troubleOf(message.problem, message.status));
    else w?.done(message.done);
  }

  /** expect sets a deadline for an answer, unless an earlier one is pending. */
  private expect(within: number): void {
    const now = performance.now(), before = this.asked === undefined ? Infinity : this.asked + this.within;
    if (now + within >= before) return;
    this.asked = now;
    this.within = within;
  }

  private ping(within: number): void {
    this.pinged = performance.now();
    this.expect(within);
    this.socket!.send('{"do":"ping"}');
  }

  /**
   * look asks for a sign of life, and gives up a connection that gives none, or that
   * does not come about. It is judged by when it was asked, not by when something
   * was last heard: hidden windows look but once a minute.
   */
  private look(): void {
    const now = performance.now(), ahead = Date.now() - now;
    if (ahead - this.ahead > leap || now - this.looked > gap) return this.wake();
    [this.looked, this.ahead] = [now, ahead];
    const opens = this.socket?.readyState === WebSocket.CONNECTING;
    if (this.socket && (opens ? now - this.began > patience : this.asked !== undefined && now - this.asked > this.within)) return this.lost();
    if (this.socket?.readyState === WebSocket.OPEN && this.asked === undefined && now - this.pinged >= beat) this.ping(silence);
  }

  /** wake checks at once whether the server still answers, because the page was hidden for a while. */
  private wake(): void {
    const now = performance.now(), ahead = Date.now() - now, slept = ahead - this.ahead;
    [this.looked, this.ahead] = [now, ahead];
    if (slept > leap) this.woke(slept);
    this.asked = undefined; // an answer may lie here that was not heard yet
    if (this.socket?.readyState === WebSocket.OPEN) this.ping(haste);
    else if (this.socket?.readyState !== WebSocket.CONNECTING || now - this.began > haste) this.again(0);
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
