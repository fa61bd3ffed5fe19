// The script of every page: it imports the chunk that the page needs and draws it.

import { render, type ComponentType } from "preact";
import { boot, facts, language, loadWords, phrases, say } from "./words";
import { Defs } from "./defs";
import { Header } from "./header";

type Page = { Main: ComponentType };

// Every page is a chunk of its own and loads no code of other pages.
const pages: Record<string, () => Promise<Page>> = {
  home: () => import("./home"),
  missing: () => import("./home"),
  new: () => import("./new"),
  index: () => import("./kinds"),
  watch: () => import("./watch"),
  game: () => import("./table"),
  analysis: () => import("./analysis"),
  study: () => import("./analysis"),
  editor: () => import("./editor"),
  review: () => import("./review"),
  puzzles: () => import("./puzzles"),
  lessons: () => import("./lessons"),
  person: () => import("./person"),
  challenges: () => import("./challenges"),
  moderation: () => import("./moderation"),
  class: () => import("./class"),
  tournament: () => import("./tournament"),
  device: () => import("./device"),
};

/** parts are the catalogues beside en.json that a page loads: the first page needs none. The server preloads them (page.go). */
const parts: Record<string, string[]> = { home: [], missing: [], new: ["form"], index: ["index"], watch: ["index"], game: ["game"], person: ["account"], challenges: ["account"], moderation: ["account"], class: ["class"], tournament: ["form", "tournament"], device: ["form", "game", "device"] };

async function draw(): Promise<void> {
  const load = pages[boot.page];
  if (!load) return; // "busy" has said all that there is
  const needed = parts[boot.page] ?? ["game", "study"], english = language.startsWith("en");
  const [{ Main }] = await Promise.all([load(), ...needed.map(loadWords), !english && needed[0] && Promise.all([import("./sentence"), loadWords("sentences"), needed[0] === "class" && loadWords("judge")]).then(([m]) => { phrases.of = m.translator(facts.words); })]);
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
if (navigator.serviceWorker?.controller || matchMedia("(display-mode:standalone)").matches) void import("./installed").then((m) => m.install({ say, loadWords }), () => {});
