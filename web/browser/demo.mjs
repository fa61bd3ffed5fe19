// The games to watch that the first page shows, by their names.

import { existsSync, readFileSync } from "node:fs";

const games = new URL("../../games/", import.meta.url);
const file = (name) => new URL(`${name}/demo.txt`, games);
const names = [...readFileSync(new URL("games.go", games), "utf8").matchAll(/^\t\t(\w+)\.Game,$/gm)].map(([, name]) => name);
const sizes = { othello: "8", connect6: "15" }; // of their boards

export const demo = Object.fromEntries(names.filter((name) => existsSync(file(name))).map((name) => [name, { size: sizes[name], moves: readFileSync(file(name), "utf8").trim() }]));
