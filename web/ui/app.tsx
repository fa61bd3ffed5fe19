// The script of every page: it imports the chunk that the page needs and draws it.

import { render, type ComponentType } from "preact";
import { boot, loadWords } from "./words";
import { Defs } from "./defs";
import { Header } from "./header";

type Page = { Main: ComponentType };

// Every page is a chunk of its own and loads no code of other pages.
const pages: Record<string, () => Promise<Page>> = {
  home: () => import("./home"),
  missing: () => import("./home"),
  game: () => import("./table"),
  analysis: () => import("./analysis"),
  study: () => import("./analysis"),
  editor: () => import("./editor"),
  review: () => import("./review"),
  puzzles: () => import("./puzzles"),
  lessons: () => import("./lessons"),
};

/** study are the pages whose texts are in a catalogue of their own (en.study.json). */
const study = new Set(["review", "analysis", "study", "editor", "puzzles", "lessons"]);

async function draw(): Promise<void> {
  const load = pages[boot.page];
  if (!load) return; // "busy" has said all that there is
  const [{ Main }] = await Promise.all([load(), study.has(boot.page) ? loadWords("study") : null]);
  const app = document.getElementById("app")!;
  app.replaceChildren();
  render(
    <>
      <Defs />
      <Header />
      <Main />
    </>,
    app,
  );
}

void draw();
