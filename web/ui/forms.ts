// The forms in which a record can be taken away, and for which games they are.

export interface Form {
  name: string;
  games?: string[]; // all if not given
}

// A test of package serve holds this list against what the server can write.

export const forms: Form[] = [
  { name: "quintet" },
  { name: "pgn", games: ["chess"] },
  { name: "sgf", games: ["othello", "loa", "connect6"] },
  { name: "ggf", games: ["othello"] },
  { name: "transcript", games: ["othello"] },
  { name: "moves" },
  { name: "console" },
];

/** pictures are those of the last board, and the whole game as an animation. */
export const pictures: Record<string, string> = { png: "board.png", svg: "board.svg", gif: "game.gif" };
