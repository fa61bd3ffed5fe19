// A tree of moves with comments, glyphs and shapes, and the edits that change it. The
// server applies edits in the same way (docs/api.md, "Studies"). This file imports no
// code, so that the tests can run it outside of a page.

export type Color = "green" | "red" | "blue" | "yellow";

/** Shape is an arrow from cell to cell, or a circle where from is missing. */
export interface Shape {
  from?: number;
  to: number;
  color: Color;
}

export type Glyph = "" | "!" | "?" | "!!" | "??" | "!?" | "?!";

/** WireNode is a node as the server sends it. */
export interface WireNode {
  id: string;
  parent?: string;
  move?: string;
  san?: string;
  from?: number;
  to?: number;
  comment: string;
  glyph: Glyph;
  shapes: Shape[];
  order: number;
}

/** Node is a move of a tree. Edits replace it; it does not change itself. */
export interface Node {
  id: string;
  parent: string; // "" for the root
  ply: number;
  move: string;
  san: string;
  from?: number;
  to?: number;
  comment: string;
  glyph: Glyph;
  shapes: Shape[];
  children: string[]; // the main line first
}

/** Edit changes a tree; see docs/api.md. */
export interface Edit {
  do: "add" | "delete" | "promote" | "comment" | "glyph" | "shapes" | "title" | "visibility";
  id?: string;
  parent?: string;
  move?: string;
  to?: number;
  text?: string;
  glyph?: Glyph;
  shapes?: Shape[];
  visibility?: "link" | "private";
  san?: string; // of an added move
  cells?: { from?: number; to?: number };
  was?: string; // the comment that this one replaces; only in the browser
}

export const rootId = "root";

export class Tree {
  readonly nodes = new Map<string, Node>();
  title = "";
  visibility: "link" | "private" = "link";

  constructor(nodes: WireNode[] = [{ id: rootId, comment: "", glyph: "", shapes: [], order: 0 }]) {
    for (const { id, parent = "", move = "", san = "", from, to, comment, glyph, shapes } of nodes) {
      this.nodes.set(id, { id, parent, ply: parent ? this.nodes.get(parent)!.ply + 1 : 0, move, san: san || move, from, to, comment, glyph, shapes: shapes ?? [], children: [] });
      this.nodes.get(parent)?.children.push(id);
    }
  }

  private set(n: Node, change: Partial<Node>): void { this.nodes.set(n.id, { ...n, ...change }); }

  get root(): Node { return this.nodes.get(rootId)!; }

  /** clone copies the tree; edits of the copy do not change this one. */
  clone(): Tree {
    const t = new Tree([]);
    for (const [id, n] of this.nodes) t.nodes.set(id, n);
    t.title = this.title;
    t.visibility = this.visibility;
    return t;
  }

  /** apply makes an edit. It reports false, and changes nothing, if the edit does not apply. */
  apply(e: Edit): boolean {
    if (e.do === "title") this.title = e.text ?? "";
    else if (e.do === "visibility") this.visibility = e.visibility ?? "link";
    else if (e.do === "add") return this.add(e);
    else return this.change(e, this.nodes.get(e.id ?? ""));
    return true;
  }

  private add(e: Edit): boolean {
    const parent = this.nodes.get(e.parent ?? "");
    if (!parent || !e.id || !e.move || this.nodes.has(e.id) || this.childBy(parent, e.move)) return false;
    this.nodes.set(e.id, { id: e.id, parent: parent.id, ply: parent.ply + 1, move: e.move, san: e.san || e.move, ...e.cells, comment: "", glyph: "", shapes: [], children: [] });
    this.set(parent, { children: [...parent.children, e.id] });
    return true;
  }

  private change(e: Edit, n: Node | undefined): boolean {
    if (!n || (n.id === rootId && (e.do === "delete" || e.do === "promote" || e.do === "glyph"))) return false;
    const parent = this.nodes.get(n.parent);
    switch (e.do) {
      case "comment": this.set(n, { comment: e.text ?? "" }); break;
      case "glyph": this.set(n, { glyph: e.glyph ?? "" }); break;
      case "shapes": this.set(n, { shapes: e.shapes ?? [] }); break;
      case "promote": {
        if ((e.to ?? 0) >= parent!.children.length) return false;
        const rest = parent!.children.filter((c) => c !== n.id);
        this.set(parent!, { children: [...rest.slice(0, e.to ?? 0), n.id, ...rest.slice(e.to ?? 0)] });
        break;
      }
      case "delete":
        this.set(parent!, { children: parent!.children.filter((c) => c !== n.id) });
        for (const id of this.below(n.id)) this.nodes.delete(id);
    }
    return true;
  }

  /** below lists a subtree, parents before children. */
  below(id: string): string[] {
    const list = [id];
    for (let i = 0; i < list.length; i++) list.push(...this.nodes.get(list[i])!.children);
    return list;
  }

  childBy(n: Node, move: string): Node | undefined {
    return n.children.map((c) => this.nodes.get(c)!).find((c) => c.move === move);
  }

  /** path lists the nodes from the first move to a node. */
  path(id: string): Node[] {
    const list: Node[] = [];
    for (let n = this.nodes.get(id); n && n.parent; n = this.nodes.get(n.parent)) list.push(n);
    return list.reverse();
  }

  /** end is the last node of the line that goes on from a node. */
  end(id: string): string {
    for (let n = this.nodes.get(id)!; ; n = this.nodes.get(n.children[0])!) if (n.children.length === 0) return n.id;
  }

  /** wire writes the tree as the server does. */
  wire(): WireNode[] {
    return this.below(rootId).map((id) => {
      const { children: _, ply: __, parent, ...n } = this.nodes.get(id)!;
      return { ...n, ...(parent ? { parent } : {}), order: parent ? this.nodes.get(parent)!.children.indexOf(id) : 0 };
    });
  }
}

/** Rebased is the result of rebasing unconfirmed edits onto others' edits. */
export interface Rebased {
  tree: Tree;
  pending: Edit[];
  same: Map<string, string>; // nodes of one's own that somebody else has added, too: their ids
  dropped: Edit[]; // which make no sense any more
}

export const maxComment = 2000; // characters
export const maxShapes = 32; // of a move

/** rebase applies edits to a newer tree. It does not add a move twice, and merges comments of two people. */
export function rebase(base: Tree, edits: Edit[]): Rebased {
  const tree = base.clone(), pending: Edit[] = [], same = new Map<string, string>(), dropped: Edit[] = [];
  const renamed = (id: string | undefined): string | undefined => (id !== undefined && same.get(id)) || id;
  for (const edit of edits) {
    const e = { ...edit, ...(edit.id ? { id: renamed(edit.id) } : {}), ...(edit.parent ? { parent: renamed(edit.parent) } : {}) };
    const parent = e.do === "add" && tree.nodes.get(e.parent!), twin = parent && tree.childBy(parent, e.move!);
    if (twin && e.id) {
      same.set(e.id, twin.id);
      continue;
    }
    if (e.do === "comment") mergeComment(tree, e);
    if (tree.apply(e)) pending.push(e);
    else dropped.push(edit);
  }
  return { tree, pending, same, dropped };
}

/** mergeComment keeps both texts: additions to the same text are merged, others follow one another. */
export function mergeComment(tree: Tree, e: Edit): void {
  const theirs = tree.nodes.get(e.id!)?.comment, was = e.was ?? "", mine = e.text ?? "";
  if (theirs === undefined || theirs === was || theirs === mine) return;
  e.text = merged(was, theirs, mine).slice(0, maxComment);
  e.was = theirs;
}

function merged(was: string, theirs: string, mine: string): string {
  if (mine === "" || theirs === "") return mine || theirs;
  if (was !== "" && mine.startsWith(was) && theirs.startsWith(was)) return theirs + mine.slice(was.length);
  return `${theirs}\n${mine}`;
}

/** wireEdit writes an edit as the server takes it. */
export function wireEdit({ san: _, cells: __, was: ___, ...e }: Edit): Edit {
  return e;
}

const maxEdits = 100; // of a request
const maxChars = 15_000; // of a request: with four bytes for each, it has less than 64 KB

/** fitting returns how many of the first edits fit into one request; at least one. */
export function fitting(edits: Edit[]): number {
  let chars = 0, n = 0;
  for (; n < Math.min(edits.length, maxEdits); n++) {
    chars += JSON.stringify(edits[n]).length;
    if (chars > maxChars) break;
  }
  return Math.max(1, n);
}

/** plain removes what the server rejects: control characters other than line feeds, and bidirectional controls. */
export const plain = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/\t/g, " ").replace(/(?!\n)[\p{Cc}\p{Bidi_C}\uFFFD]/gu, "");

/** Row is a part of the move list: moves of one variation, with its depth. */
export interface Row {
  key: string;
  depth: number;
  moves: Node[];
}

/** rowsOf writes the tree as rows, the main line first and each variation below the move that it replaces. It does not recurse: a tree may be 2,000 variations deep. */
export function rowsOf(tree: Tree): Row[] {
  const rows: Row[] = [], todo: { id: string; depth: number }[] = [];
  const open = (n: Node, depth: number): Row => {
    const row = { key: n.id, depth, moves: [] };
    rows.push(row);
    return row;
  };
  const first = tree.root.children[0];
  if (first) todo.push({ id: first, depth: 0 });
  while (todo.length > 0) {
    const { id, depth } = todo.pop()!;
    let n: Node | undefined = tree.nodes.get(id)!;
    const row = open(n, depth);
    for (; n; n = tree.nodes.get(n.children[0])) {
      row.moves.push(n);
      const parent: Node = tree.nodes.get(n.parent)!;
      const others = parent.children[0] === n.id ? parent.children.slice(1) : [];
      if (others.length === 0) continue;
      if (n.children[0]) todo.push({ id: n.children[0], depth }); // the line goes on below its variations
      for (const other of others.reverse()) todo.push({ id: other, depth: depth + 1 });
      break;
    }
  }
  return rows;
}
