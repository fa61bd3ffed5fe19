// A shared study: others' edits appear as they happen, and local edits are sent one
// request after the other. Unconfirmed edits are rebased onto every event of others, so
// that no edit is lost (rebase in tree.ts).

import { signal } from "@preact/signals";
import type { Analysing, Editor } from "./analysing";
import { troubleOf, type Trouble } from "./api";
import { fitting, rebase, Tree, wireEdit, type Edit, type WireNode } from "./tree";
import type { Problem } from "./types";
import { say } from "./words";

/** Study is a study as the server shows it. */
export interface Study {
  id: string;
  url: string;
  game: string;
  position: string;
  title: string;
  visibility: "link" | "private";
  editable: boolean;
  n: number; // of the last event
  nodes: WireNode[];
}

interface StudyEvent {
  kind: "edited";
  n: number;
  ref?: string;
  edits: Edit[];
}

type Message = StudyEvent | (Study & { kind: "state" }) | { kind: "beat" };

const again = 2_000; // milliseconds until a request that broke off is made again
const silence = 40_000; // milliseconds without a word after which a connection is dead: the server says something every 15 seconds

/** treeOf parses a study. */
export function treeOf(s: Study): Tree {
  const t = new Tree(s.nodes);
  t.title = s.title;
  t.visibility = s.visibility;
  return t;
}

export class Syncing implements Editor {
  readonly state = signal<"saved" | "saving" | "offline">("saved");
  readonly notice = signal(""); // what became of an edit that could not be made
  readonly title = signal("");
  readonly visibility = signal<"link" | "private">("link");
  private base: Tree; // as the server has it
  private n: number;
  private pending: Edit[] = []; // not confirmed, in their order
  private sent = 0; // how many of them are on their way
  private single = false; // edits go one by one after a refusal, to find the one that is refused
  private ref = "";
  private refs = 0;
  private sending = false;
  private readonly control = new AbortController();

  constructor(readonly a: Analysing, readonly study: Study, readonly key: string) {
    this.base = treeOf(study);
    this.n = study.n;
    this.names();
    a.editor = this;
    a.editable = study.editable;
    if (study.editable) this.restore();
  }

  /** follow follows the study until it is stopped. Leaving with unsent edits asks for confirmation. */
  follow(): () => void {
    void this.run();
    const leave = (e: BeforeUnloadEvent): void => { if (this.pending.length > 0) e.preventDefault(); };
    const keep = (): void => this.keep();
    addEventListener("beforeunload", leave);
    addEventListener("pagehide", keep);
    return () => {
      this.control.abort();
      removeEventListener("beforeunload", leave);
      removeEventListener("pagehide", keep);
    };
  }

  private get draft(): string { return `quintet.study:${this.study.id}`; }

  /** keep stores unconfirmed edits for a reload of the page. */
  private keep(): void {
    try {
      if (this.pending.length > 0) sessionStorage.setItem(this.draft, JSON.stringify(this.pending));
      else sessionStorage.removeItem(this.draft);
    } catch {
      // storage is full or switched off: the question on leaving must do
    }
  }

  /** restore loads stored unconfirmed edits. Those that the server has after all do not apply a second time, and are dropped. */
  private restore(): void {
    try {
      this.pending = JSON.parse(sessionStorage.getItem(this.draft) ?? "[]") as Edit[];
    } catch {
      return; // storage is switched off, or holds something else
    }
    const r = rebase(this.base, this.pending);
    this.pending = r.pending;
    this.a.tree = r.tree;
    if (this.pending.length > 0) this.state.value = "saving";
  }

  private get headers(): Record<string, string> {
    return this.key ? { Authorization: `Bearer ${this.key}` } : {};
  }

  private async run(): Promise<void> {
    const { signal } = this.control;
    while (!signal.aborted) {
      try {
        await this.stream(signal);
      } catch (e) {
        if (signal.aborted) return;
        const t = e as Trouble;
        if (t.status === 404 || t.status === 403) return void (this.notice.value = t.message);
        this.state.value = "offline";
      }
      await new Promise((done) => setTimeout(done, again));
    }
  }

  private async stream(signal: AbortSignal): Promise<void> {
    const response = await fetch(`/api/studies/${this.study.id}/events?after=${this.n}`, { headers: this.headers, signal });
    if (!response.ok) throw troubleOf(await response.json().catch(() => ({})), response.status);
    if (this.state.peek() === "offline") this.state.value = this.pending.length > 0 ? "saving" : "saved";
    void this.send();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const timer = setTimeout(() => void reader.cancel(), silence);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done || signal.aborted) return;
      const lines = (text + value).split("\n");
      text = lines.pop()!;
      for (const line of lines) if (line) this.take(JSON.parse(line) as Message);
    }
  }

  private take(m: Message): void {
    if (m.kind === "edited") return this.happened([m]);
    if (m.kind !== "state" || m.n <= this.n) return;
    this.base = treeOf(m);
    this.n = m.n;
    this.rebase();
  }

  /** happened applies confirmed events in order, and skips known ones. */
  private happened(events: StudyEvent[]): void {
    const fresh = events.filter((e) => e.n > this.n);
    if (fresh.length === 0) return;
    const others: Edit[] = [];
    for (const e of fresh) {
      for (const edit of e.edits) this.base.apply(edit);
      this.n = e.n;
      if (this.sent > 0 && e.ref === this.ref) this.confirmed();
      else others.push(...e.edits);
    }
    this.rebase();
    this.tell(others);
  }

  /** tell announces edits of others to screen readers. */
  private tell(edits: Edit[]): void {
    const added = edits.findLast((e) => e.do === "add");
    if (edits.length > 0) this.a.tell(added ? say("study.added", { move: this.base.nodes.get(added.id!)?.san ?? added.move! }) : say("study.changed"));
  }

  private confirmed(): void {
    this.pending = this.pending.slice(this.sent);
    this.sent = 0;
  }

  /** rebase shows the server's tree with the local edits on top. */
  private rebase(): void {
    const r = rebase(this.base, this.pending);
    this.sent = 0; // what is on its way comes too late: the server refuses it as stale, and it goes again
    this.pending = r.pending;
    if (r.dropped.length > 0) this.notice.value = say("study.dropped");
    this.a.adopt(r);
    this.names();
  }

  private names(): void {
    this.title.value = this.a.tree.title || this.base.title;
    this.visibility.value = this.a.tree.visibility;
  }

  /** queue sends a local edit. */
  queue(e: Edit): void {
    this.pending.push(e);
    this.notice.value = "";
    this.state.value = this.state.peek() === "offline" ? "offline" : "saving";
    this.names();
    void this.send();
  }

  /** send sends unconfirmed edits until all are confirmed. */
  private async send(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    while (this.pending.length > 0 && !this.control.signal.aborted) {
      try {
        await this.sendOnce();
      } catch {
        this.state.value = "offline"; // the answer was lost, or the server is down: the ref identifies repeated edits
        await new Promise((done) => setTimeout(done, again));
      }
    }
    this.sending = false;
    this.state.value = "saved";
  }

  private async sendOnce(): Promise<void> {
    if (this.sent === 0) {
      this.sent = this.single ? 1 : fitting(this.pending);
      this.ref = `${Math.random().toString(36).slice(2, 12)}-${++this.refs}`;
    }
    const { ref } = this, edits = this.pending.slice(0, this.sent).map(wireEdit);
    const response = await fetch(`/api/studies/${this.study.id}/edits`, {
      method: "POST", headers: { "Content-Type": "application/json", ...this.headers }, body: JSON.stringify({ after: this.n, edits, ref }), signal: this.control.signal,
    });
    const body = (await response.json()) as Partial<StudyEvent & Problem & { since: StudyEvent[] }>;
    this.state.value = "saving";
    if (response.ok) return this.happened([{ kind: "edited", ref, edits, ...body } as StudyEvent]);
    if (body.reason === "study.stale") return this.overtaken(body.since);
    if (response.status === 429 || response.status >= 500) throw new Error(body.error);
    this.refused(troubleOf(body, response.status), ref);
  }

  /** overtaken applies others' newer edits, then sends the local ones again unless they are among them. */
  private async overtaken(since: StudyEvent[] | undefined): Promise<void> {
    if (since) {
      const { ref } = this;
      this.happened(since);
      if (this.ref === ref) this.sent = 0;
      return;
    }
    const response = await fetch(`/api/studies/${this.study.id}`, { headers: this.headers, signal: this.control.signal });
    const s = (await response.json()) as Study;
    this.sent = 0;
    this.take({ ...s, kind: "state" });
  }

  /** refused drops an edit that the server rejected. */
  private refused(t: Trouble, ref: string): void {
    if (this.ref !== ref || this.sent === 0) return;
    const one = this.sent === 1;
    this.single = !one;
    this.sent = 0;
    if (!one) return;
    this.pending = this.pending.slice(1);
    this.rebase();
    this.notice.value = say("study.refused", { why: t.message });
  }
}
