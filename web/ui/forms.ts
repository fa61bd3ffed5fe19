// The forms in which a record can be taken away, and for which games they are.

export interface Form {
  name: string;
  games?: string[]; // all if not given
}

export const forms: Form[] = [
  { name: "quintet" },
  { name: "pgn", games: ["chess"] },
  { name: "sgf", games: ["othello", "loa", "connect6"] },
  { name: "ggf", games: ["othello"] },
  { name: "transcript", games: ["othello"] },
  { name: "moves" },
  { name: "console" },
];

/** pictures are the forms of a picture of the board. */
export const pictures = ["svg", "png"];
