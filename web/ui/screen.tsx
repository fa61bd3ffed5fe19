// The live board of a game between others, move by move.

import { useEffect, useRef, useState } from "preact/hooks";
import type { JSX } from "preact";
import { pathOf } from "./api";
import { Diagram } from "./diagram";
import { follow } from "./follow";
import { Icon } from "./icon";
import { sides, type View } from "./types";
import { gameTitle, playerName, resultText, say, sideName } from "./words";

const pace = 900; // minimum milliseconds that a position is shown
const behind = 30; // queued positions above which only the newest is shown
const again = 3_000; // milliseconds until it reconnects

/** useVisible reports whether the page is visible. */
function useVisible(): boolean {
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = (): void => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return visible;
}

/** listen passes each position of a game to hear. It returns a function that stops it. */
function listen(id: string, hear: (v: View) => void): () => void {
  let socket: WebSocket | undefined, timer = 0, ended = false;
  const open = (): void => {
    let v: View | null = null;
    const s = socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/games/${id}/socket?board=1`);
    s.onmessage = (e) => {
      const m = JSON.parse(e.data);
      if (m.kind !== "state" && (!v || typeof m.n !== "number")) return;
      v = m.kind === "state" ? m as View : follow(v!, m);
      if (v) hear(v);
      else s.close(); // reconnecting fetches the whole game
    };
    s.onclose = () => { if (!ended) timer = window.setTimeout(open, again); };
  };
  open();
  return () => { ended = true; clearTimeout(timer); socket?.close(); };
}

/** useGame returns the position to show. It advances at a pace that people can follow, and pauses while stopped. */
function useGame(id: string, stopped: boolean): View | null {
  const [shown, setShown] = useState<View | null>(null), waiting = useRef<View[]>([]), visible = useVisible();
  useEffect(() => {
    waiting.current = [];
    setShown(null);
  }, [id]);
  useEffect(() => (visible ? listen(id, (v) => { waiting.current = [...waiting.current, v].slice(-200); setShown((s) => s ?? v); }) : undefined), [id, visible]);
  useEffect(() => {
    if (stopped) return;
    const timer = setInterval(() => {
      const list = waiting.current, next = list.length > behind ? list.at(-1) : list[0];
      if (!next) return;
      waiting.current = list.length > behind ? [] : list.slice(1);
      setShown(next);
    }, pace);
    return () => clearInterval(timer);
  }, [id, stopped]);
  return shown;
}

/** Screen shows a live game with a pause button. */
export function Screen({ id }: { id: string }): JSX.Element {
  const [stopped, setStopped] = useState(false);
  const v = useGame(id, stopped);
  if (!v) return <div class="demo" />;
  const names = sides.map((s) => (v.seats[s] ? playerName(v.seats[s]) : say("seat.free", { side: sideName(v.game, s) })));
  return (
    <div class="demo">
      <a href={pathOf(id)}><Diagram key={id} game={v.game} board={v.board} last={v.last ?? undefined} label={say("tv.label", { first: names[0], second: names[1], game: gameTitle(v.game) })} /></a>
      <div class="caption">
        <p><span>{names[0]}</span> – <span>{names[1]}</span>{v.state === "over" && <b> {resultText(v)}</b>}</p>
        <button class="quiet icon stop" type="button" aria-label={say(stopped ? "demo.go" : "demo.stop")} title={say(stopped ? "demo.go" : "demo.stop")} onClick={() => setStopped(!stopped)}>
          <Icon name={stopped ? "play" : "pause"} />
        </button>
      </div>
    </div>
  );
}
