// The state of the analysis board: the tree, the selected node, and the facts of its
// position.

import { computed, signal } from "@preact/signals";
import { whyIllegal, type Trouble } from "./api";
import { cellName } from "./cell";
import { leftIn } from "./notation";
import { Shots, factsOf, type Facts, type Shot, type Start } from "./shots";
import { maxShapes, mergeComment, plain, rootId, Tree, type Color, type Edit, type Glyph, type Node, type Rebased, type Shape } from "./tree";
import type { Move } from "./types";
import { say } from "./words";

/** Editor sends the edits of a shared study. */
export interface Editor {
  queue(e: Edit): void;
}

const factsDelay = 60; // milliseconds for which a node must be looked at before its moves are asked for: who steps fast asks for none

const pause = 200; // milliseconds without a step before the next line is preloaded, so that steps never wait for it

const prefetch = 100; // lines whose positions are loaded before somebody looks at them

/** newId returns an unused node id. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(10)), (b) => (b % 36).toString(36)).join("");

export class Analysing {
  readonly shots: Shots;
  readonly changes = signal(0); // counts the changes of the tree
  readonly known = signal(0); // counts what has become known of positions
  readonly at = signal(rootId);
  readonly trouble = signal("");
  readonly said = signal(""); // for screen readers
  readonly flip = signal(false);
  readonly drawing = signal<Color | "">(""); // the colour that taps on the board draw with
  readonly drawnFrom = signal(-1); // where an arrow by taps begins
  editor: Editor | null = null;
  editable = true;
  tree: Tree;
  private timer = 0;
  private stepped = -Infinity; // when another node was last selected
  private loading = false; // other lines than the one that is looked at
  private readonly same = new Map<string, string>(); // ids of nodes that others have added, too

  constructor(readonly start: Start, tree = new Tree()) {
    this.shots = new Shots(start);
    this.tree = tree;
  }

  get game(): string { return this.start.game; }

  /** node is the selected node. */
  readonly node = computed<Node>(() => {
    this.changes.value; // the tree is no signal
    return this.tree.nodes.get(this.at.value) ?? this.tree.root;
  });

  /** shot is the position of the node, once it is loaded. */
  readonly shot = computed<Shot | undefined>(() => {
    this.known.value;
    return this.shots.shots.get(this.node.value.id);
  });

  readonly facts = computed<Facts | undefined>(() => {
    this.known.value;
    return this.shots.facts.get(this.node.value.id);
  });

  /** begins is the side to move at the start, and the stones left in its turn. */
  readonly begins = computed(() => {
    this.known.value;
    const [facts] = this.shots.facts.values();
    return `${this.shots.shots.get(rootId)?.turn ?? "first"} ${facts ? leftIn(this.game, facts.start) : 1}`;
  });

  /** open loads the main line and shows a node. */
  async open(at = this.tree.end(rootId)): Promise<void> {
    await this.shots.load(this.tree.path(at));
    this.at.value = at;
    this.known.value++;
    await this.learn();
    void this.loadRest();
  }

  /** loadRest preloads the other lines one by one, so that stepping never waits. */
  private async loadRest(): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    for (let n = 0, end = this.shots.missing(this.tree); end && n < prefetch; n++, end = this.shots.missing(this.tree)) {
      await this.still();
      if (!await this.loadLine(end)) break; // the server is busy, or gone: steps ask again
    }
    this.loading = false;
  }

  /** still waits until no other node has been selected for a moment. */
  private async still(): Promise<void> {
    const left = (): number => this.stepped + pause - performance.now();
    while (left() > 0) await new Promise((done) => setTimeout(done, left()));
  }

  /** loadLine loads the positions of a line by its last node. */
  private async loadLine(end: string): Promise<boolean> {
    try {
      await this.shots.load(this.tree.path(end));
    } catch {
      return false;
    }
    this.known.value++;
    return true;
  }

  /** go selects a node. */
  go(id: string): void {
    if (!this.tree.nodes.has(id) || id === this.at.peek()) return;
    this.at.value = id;
    this.stepped = performance.now();
    this.drawnFrom.value = -1;
    this.trouble.value = "";
    if (!this.shots.shots.has(id)) void this.loadLine(this.tree.end(id));
    const n = this.node.peek();
    const more = [n.comment, ...n.shapes.map((s) => this.shapeText(s))].filter(Boolean).join(" ");
    this.tell(n.id === rootId ? `${say("moves.said.start")}. ${more}`.trim() : say("analysis.said", { n: n.ply, move: n.san + n.glyph, comment: more }));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.learn(), factsDelay);
  }

  /** step moves by n plies along the first variations; back if n is negative. */
  step(by: number): void {
    let n = this.node.peek();
    for (; by < 0 && n.parent; by++) n = this.tree.nodes.get(n.parent)!;
    for (; by > 0 && n.children.length > 0; by--) n = this.tree.nodes.get(n.children[0])!;
    this.go(n.id);
  }

  /** aside selects the next or previous sibling variation. */
  aside(by: number): void {
    const n = this.node.peek(), all = this.tree.nodes.get(n.parent)?.children ?? [];
    const to = all[all.indexOf(n.id) + by];
    if (to) this.go(to);
  }

  /** learn fetches the missing facts of the selected position. */
  private async learn(): Promise<void> {
    const { id } = this.node.peek();
    if (this.shots.facts.has(id)) return;
    try {
      this.shots.know(id, await factsOf(this.start, this.tree.path(id).map((n) => n.move)));
      this.known.value++;
    } catch (e) {
      if (this.at.peek() === id) this.trouble.value = (e as Trouble).message;
    }
  }

  /** play makes moves from the selected node; new ones become variations. */
  async play(moves: string[]): Promise<void> {
    let n = this.node.peek(), known = 0;
    for (; known < moves.length; known++) {
      const next = this.tree.childBy(n, moves[known]);
      if (!next) break;
      n = next;
    }
    if (known === moves.length) return this.go(n.id);
    if (!this.editable) return void (this.trouble.value = say("analysis.readonly"));
    const before = this.tree.path(n.id).map((p) => p.move);
    try {
      const facts = await factsOf(this.start, [...before, ...moves.slice(known)]);
      for (const m of facts.moves.slice(before.length)) {
        const id = newId();
        this.edit({ do: "add", id, parent: n.id, move: m.move, san: m.san, cells: { from: m.from, to: m.to } });
        n = this.tree.nodes.get(id) ?? this.tree.childBy(n, m.move)!;
      }
      this.shots.know(n.id, facts);
      this.known.value++;
      this.go(n.id);
      void this.loadRest();
    } catch (e) {
      this.trouble.value = (e as Trouble).message;
    }
  }

  /** typed plays a move in notation, or shows the rules' reason if it is illegal. */
  async typed(text: string): Promise<boolean> {
    const wanted = text.trim();
    this.trouble.value = ""; // the same mistake is announced again
    await this.learn();
    const f = this.facts.peek();
    if (!f || !wanted) return false;
    const bare = (t: string): string => t.replace(/[x+#=-]/g, "");
    const m = f.legal.find((l) => l.san === wanted || bare(l.san) === bare(wanted)) ?? f.legal.find((l) => l.move.toLowerCase() === wanted.toLowerCase());
    if (m) await this.play([m.move]);
    else this.trouble.value = (await whyIllegal(this.game, f.position, wanted)) || say("problem.illegal");
    return !!m;
  }

  /** refuse shows why a move tried on the board is illegal. */
  async refuse(m: Move | null): Promise<void> {
    const f = this.facts.peek();
    this.trouble.value = (m && f ? await whyIllegal(this.game, f.position, m.move) : "") || say("problem.illegal");
  }

  /** edit changes the tree, and sends the edit if the tree is shared. */
  edit(e: Edit): void {
    if (!this.editable || !this.tree.apply(e)) return;
    this.editor?.queue(e);
    this.changes.value++;
  }

  /** remove deletes the selected move and its subtree. */
  remove(): void {
    const n = this.node.peek();
    if (!n.parent) return;
    this.go(n.parent);
    this.edit({ do: "delete", id: n.id });
  }

  /** promote moves the variation of the selected move one place up at its branching point. */
  promote(): void {
    const n = this.branch();
    if (!n) return;
    this.edit({ do: "promote", id: n.id, to: this.tree.nodes.get(n.parent)!.children.indexOf(n.id) - 1 });
    const deeper = this.branch() !== undefined;
    this.tell(say(deeper ? "analysis.promoted" : "analysis.promoted.main", { move: n.san }));
  }

  /** branch is the last move on the path to the node that is not a first variation. */
  branch(): Node | undefined {
    return this.tree.path(this.node.peek().id).findLast((n) => this.tree.nodes.get(n.parent)!.children[0] !== n.id);
  }

  setGlyph(glyph: Glyph): void {
    const n = this.node.peek();
    this.edit({ do: "glyph", id: n.id, glyph: n.glyph === glyph ? "" : glyph });
  }

  /** setComment replaces a comment. It returns the new one, merged with what others wrote meanwhile. */
  setComment(id: string, text: string, was: string): string {
    const e: Edit = { do: "comment", id: this.same.get(id) ?? id, text: plain(text), was };
    mergeComment(this.tree, e);
    if (e.text !== this.tree.nodes.get(e.id!)?.comment) this.edit(e);
    return e.text!;
  }

  /** draw adds an arrow, or a circle if both cells are the same; drawing the same shape again removes it. */
  draw(from: number, to: number, color: Color): void {
    const n = this.node.peek(), shape: Shape = from === to ? { to, color } : { from, to, color };
    const rest = n.shapes.filter((s) => s.from !== shape.from || s.to !== to);
    const again = n.shapes.some((s) => s.from === shape.from && s.to === to && s.color === color);
    this.edit({ do: "shapes", id: n.id, shapes: (again ? rest : [...rest, shape]).slice(-maxShapes) });
    this.tell(say(again ? "analysis.shape.gone" : "analysis.shape.drawn", { shape: this.shapeText(shape) }));
  }

  /** shapeText describes an arrow or a circle. */
  private shapeText({ from, to, color }: Shape): string {
    const name = (cell: number): string => (this.shots.board ? cellName(this.shots.board, cell) : "");
    return say(from === undefined ? "analysis.circle" : "analysis.arrow", { color: say(`analysis.color.${color}`), from: name(from ?? to), to: name(to) });
  }

  /** tell announces a sentence; one that comes again gets a blank, or it would not be announced. */
  tell(text: string): void { this.said.value = this.said.peek() === text ? `${text}\u00a0` : text; }

  /** drawAt handles a tap or key in drawing mode: the first starts an arrow, the second ends it. */
  drawAt(cell: number): void {
    const from = this.drawnFrom.peek();
    if (from < 0) return void (this.drawnFrom.value = cell);
    this.drawnFrom.value = -1;
    if (this.drawing.peek()) this.draw(from, cell, this.drawing.peek() as Color);
  }

  /** adopt replaces the tree by one that others edited. If the selected node is gone, its nearest ancestor is selected. */
  adopt(r: Rebased): void {
    const way = this.tree.path(this.at.peek()).map((n) => r.same.get(n.id) ?? n.id);
    for (const [from, to] of r.same) {
      this.shots.rename(from, to);
      this.same.set(from, to);
    }
    this.tree = r.tree;
    this.at.value = way.findLast((id) => r.tree.nodes.has(id)) ?? rootId;
    this.changes.value++;
    void this.loadRest();
    void this.learn();
  }
}
