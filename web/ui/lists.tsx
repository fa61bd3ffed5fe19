// Games on the server: one's own, those with an open seat, and those to watch.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { list, pathOf, show, type Listed } from "./api";
import { controlText } from "./clocks";
import { forget, mine } from "./store";
import { sides } from "./types";
import { gameTitle, playerName, say, sideName } from "./words";

const every = 4_000;

export function Lists(): JSX.Element {
  const [open, setOpen] = useState<Listed[] | null>(null);
  const [live, setLive] = useState<Listed[] | null>(null);
  const [own, setOwn] = useState<Listed[]>([]);
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      const [a, b] = await Promise.all([list("state=open&limit=8"), list("state=live&limit=8")]).catch(() => [null, null]);
      if (a) setOpen(a.games);
      if (b) setLive(b.games);
    };
    const timer = setInterval(look, every);
    void look();
    void ownGames().then(setOwn);
    return () => clearInterval(timer);
  }, []);
  const ids = new Set(own.map((g) => g.id));
  return (
    <div class="lists">
      {own.length > 0 && <List title={say("lists.own")} games={own} empty="" verb={say("lists.back")} />}
      <List title={say("lists.open")} games={open?.filter((g) => !ids.has(g.id)) ?? null} empty={say("lists.open.none")} verb={say("lists.join")} />
      <List title={say("lists.live")} games={live?.filter((g) => !ids.has(g.id)) ?? null} empty={say("lists.live.none")} verb={say("lists.watch")} />
    </div>
  );
}

/** ownGames returns the games in which this browser has a seat and that go on. */
async function ownGames(): Promise<Listed[]> {
  const views = await Promise.all(mine.value.slice(0, 8).map((g) => show(g.id).catch((e) => { if (e.status === 404) forget(g.id); return null; })));
  return views.filter((v) => v !== null && v.state !== "over") as Listed[];
}

function List({ title, games, empty, verb }: { title: string; games: Listed[] | null; empty: string; verb: string }): JSX.Element {
  return (
    <section class="card list-card">
      <h2>{title}</h2>
      {games?.length === 0 && <p class="note">{empty}</p>}
      <ul>{(games ?? []).map((g) => <Row key={g.id} g={g} verb={verb} />)}</ul>
    </section>
  );
}

function Row({ g, verb }: { g: Listed; verb: string }): JSX.Element {
  const names = sides.map((s) => (g.seats[s] ? playerName(g.seats[s]) : say("seat.free", { side: sideName(g.game, s) })));
  const size = g.options?.size ? ` ${g.options.size}×${g.options.size}` : "";
  return (
    <li>
      <a href={pathOf(g.id)}>
        <span class="line"><b>{gameTitle(g.game)}{size}</b> <span class="note">{g.clock ? controlText(g.clock) : ""}</span></span>
        <span class="line">{names.join(" – ")}</span>
        <span class="go">{verb}</span>
      </a>
    </li>
  );
}
