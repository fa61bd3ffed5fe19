// The header of every page: the name of the site, and the settings.

import { useState } from "preact/hooks";
import type { JSX } from "preact";
import { Icon } from "./icon";
import { lazy } from "./lazy";
import { loadWords, say } from "./words";

const Settings = lazy(() => Promise.all([import("./settings"), loadWords("game")]).then(([m]) => m.Settings));

export function Header(): JSX.Element {
  const [asked, setAsked] = useState(0); // how often the settings were asked for
  return (
    <header class="head">
      <a class="skip" href="#main">{say("head.skip")}</a>
      <a class="brand" href="/"><Icon name="logo" /><span>{say("site.name")}</span></a>
      <button class="quiet icon" aria-label={say("settings.title")} title={say("settings.title")} onClick={() => setAsked(asked + 1)}>
        <Icon name="settings" />
      </button>
      {asked > 0 && <Settings asked={asked} />}
    </header>
  );
}
