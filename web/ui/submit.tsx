// The form that submits a game for review: a record in any format, pasted or from a file.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { call, type Trouble } from "./api";
import { facts, gameTitle, say } from "./words";
import { marked, Seen, Wrong } from "./wrong";

const most = 250_000; // characters that the server takes, about

export function Submit(): JSX.Element {
  const [record, setRecord] = useState("");
  const [game, setGame] = useState("");
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setTrouble(null);
    setRecord(file.size > most ? "x".repeat(most + 1) : await file.text()); // what is too long is not read
  };
  const send = async (e: Event): Promise<void> => {
    e.preventDefault();
    setBusy(true);
    setTrouble(null);
    try {
      const { id, url } = await call<{ id: string; url: string }>("POST", "/api/reviews", { record, game: game || undefined });
      location.href = `/review/${id}${new URL(url).search}`;
    } catch (e) {
      setTrouble(e as Trouble);
      setBusy(false);
    }
  };
  const long = record.length > most;
  return (
    <main id="main" class="submit">
      <h1>{say("review.any")}</h1>
      <p>{say("review.any.text")}</p>
      <form class="card" onSubmit={(e) => void send(e)} noValidate>
        <label class="field">{say("review.record")}
          <textarea {...marked("record", trouble)} rows={12} spellcheck={false} value={long ? "" : record} onInput={(e) => setRecord(e.currentTarget.value)} />
        </label>
        <Wrong field="record" trouble={trouble} />
        <label class="field">{say("review.file")}
          <input type="file" onChange={(e) => void take(e.currentTarget.files?.[0])} />
        </label>
        <label class="field">{say("review.game")}
          <select value={game} onChange={(e) => setGame(e.currentTarget.value)}>
            <option value="">{say("review.game.any")}</option>
            {facts.games.map((g) => <option key={g.name} value={g.name}>{gameTitle(g.name)}</option>)}
          </select>
        </label>
        {long && <p class="trouble" role="alert">{say("review.long")}</p>}
        {trouble && trouble.field !== "record" && <Seen text={trouble.message} />}
        <button class="main big" disabled={busy || long || record.trim() === ""}>{say("review.begin")}</button>
      </form>
    </main>
  );
}
