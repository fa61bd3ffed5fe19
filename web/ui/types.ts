// The server's JSON: see docs/api.md.

export type Side = "first" | "second";
export const sides: Side[] = ["first", "second"];
export const other = (s: Side): Side => (s === "first" ? "second" : "first");

export type Both<T> = { first: T; second: T };

/** A move and the cells that it touches; a pass has none, a stone has no from. */
export interface Move {
  move: string;
  from?: number;
  to?: number;
}

/** A cell is "" if empty, "#" for a pit, else the side (1, 2) and the kind: "1o", "2K". */
export interface Board {
  rows: string[];
  cols: string[];
  cells: string[];
  points: boolean;
  note: string;
}

export interface Seat {
  name: string;
  engine?: string;
}

export interface Control {
  main?: number;
  increment?: number;
  delay?: number;
  days?: number;
}

/** Presence says whether a player is connected. claimwin and calloff are the milliseconds until the opponent may give these commands, on the player's turn. */
export interface Presence {
  here: boolean;
  away: number; // milliseconds
  claimwin: number | null;
  calloff: number | null;
}

export type Request = "draw" | "takeback" | "rematch" | "halt";

export interface View {
  id: string;
  url: string;
  game: string;
  title: string;
  sides: Both<string>;
  options: Record<string, string>;
  state: "open" | "live" | "over";
  ply: number;
  turn: Side | null;
  moves: string[];
  start: string;
  position: string;
  board: Board;
  legal: Move[];
  last?: Move;
  clock: Control | null;
  clocks: Both<number> | null;
  running: boolean;
  free: number; // milliseconds of the turn that cost nothing, when it was told
  seats: Both<Seat | null>;
  asked: Both<Request[]>;
  presence: Both<Presence | null>; // null for open seats and engines
  vacation?: Both<string>; // until when each player is on vacation; "" if not
  result: string;
  reason: string;
  tournament?: string; // that the game belongs to
  berserk?: Both<boolean>; // who plays with less time, in a game that allows it
  next?: string;
  before?: string;
  private: boolean;
  unlisted: boolean;
  rated?: boolean;
  delay: number;
  watching: number;
  you: Side[];
  created: string;
  updated: string;
  events: number;
}

/** mustPass reports whether a pass is the only legal move. */
export const mustPass = (v: View): boolean => v.legal.length === 1 && v.legal[0].to === undefined;

export interface Happening {
  kind: string;
  n: number;
  ply: number;
  side?: Side;
  move?: string;
  from?: number;
  to?: number;
  turn: Side | null;
  clocks?: Both<number>;
  running?: boolean;
  free?: number;
  request?: Request;
  asked?: Both<Request[]>;
  last?: Move; // of a take-back
  next?: string;
  time?: string;
  state: View["state"];
  result: string;
  reason?: string;
  position?: string;
  board?: Board;
  legal?: Move[];
}

export interface Frame {
  move: string;
  from?: number;
  to?: number;
  turn: Side;
  note: string;
  changes: Record<string, string>;
}

export interface Replay {
  board: Board;
  turn: Side;
  frames: Frame[];
  position: string;
  result: string;
  legal: number;
  moves?: Move[]; // the legal moves at the end, if they were asked for
}

/** Problem is an error response: see docs/api.md. */
export interface Problem {
  code: string;
  reason: string;
  field?: string;
  error: string;
  ply?: number;
  until?: string;
  retry_after?: number;
}

export interface OptionFact {
  name: string;
  help: string;
  default: string;
  choices?: string[];
  min?: number;
  max?: number;
  step?: number;
}

export interface GameFact {
  name: string;
  title: string;
  blurb?: string;
  sides: [string, string];
  options: OptionFact[];
  board: Board;
  face: Board;
  look: Look;
}

/** Look is what a game looks like: see game/look.go. */
export interface Look {
  ground: string;
  set: "" | "discs" | "chessmen";
  light: boolean; // the first side has the light pieces
  turned: boolean; // the second side sees the board from its own edge
  per_turn: number;
  ending: "" | "connected" | "six" | "king" | "most";
  won: string;
  letters: [string, string][]; // cell and letter
  turn: [string, string];
  rest: string;
  demo: { options?: Record<string, string>; moves: string };
}

export interface Boot {
  page: string; // a page of app.tsx, or "busy"
  id?: string;
  local?: boolean; // the engine in the page answers: there is no server
}

/** Facts are the same for all pages of a language. */
export interface Facts {
  words: Record<string, string>;
  games: GameFact[];
  levels: number;
}
