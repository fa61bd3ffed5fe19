// The header of every page: the name of the site, its parts, who the visitor is, and the settings.

import { useEffect, useState } from "preact/hooks";
import type { JSX } from "preact";
import { accountAsked, look, who } from "./api";
import { Icon } from "./icon";
import { lazy } from "./lazy";
import { boot, loadWords, say } from "./words";

const Settings = lazy(() => Promise.all([import("./settings"), loadWords("game")]).then(([m]) => m.Settings));
const Account = lazy(() => Promise.all([import("./account"), loadWords("account")]).then(([m]) => m.Account));

/** parts of the site, as in shell.html: address, text, and the pages that belong to it. */
const parts: [string, string, string[]][] = [
  ["/", "play", ["home", "new", "device"]],
  ["/puzzles", "puzzles", ["puzzles"]],
  ["/learn", "learn", ["learn", "lessons"]],
  ["/watch", "watch", ["watch"]],
  ["/tournaments", "tournaments", ["tournament"]],
  ["/analysis", "analyse", ["analysis", "editor", "review", "study"]],
];

export function Header(): JSX.Element {
  const [settings, setSettings] = useState(0); // how often the settings were opened
  useEffect(() => {
    void look().catch(() => {}); // offline, the button shows no name
    const here = setInterval(() => { if (who.value?.guest === false && !document.hidden) void look().catch(() => {}); }, 15_000); // it also tells of challenges; a person who sends nothing for a minute counts as away
    matchMedia("(max-width: 60rem), (max-height: 32rem)").onchange = () => document.getElementById("nav")!.hidePopover(); // or else the menu would lie over the brand
    return () => clearInterval(here);
  }, []);
  const account = accountAsked.value, name = who.value?.name, page = boot.page === "index" ? boot.id! : boot.page;
  return (
    <header class="head">
      <a class="skip" href="#main">{say("head.skip")}</a>
      <a class="brand" href="/"><Icon name="logo" /><span>{say("site.name")}</span></a>
      <nav class="nav" id="nav" popover="auto" aria-label={say("nav.title")}>
        {parts.map(([to, text, pages]) => <a key={to} href={to} aria-current={pages.includes(page) ? "page" : undefined}>{say(`nav.${text}`)}</a>)}
      </nav>
      <span class="tools">
        {!!who.value?.challenges && <a class="button main due" href="/challenges" aria-label={say("head.challenges", { n: who.value.challenges })}><span>{say("head.challenges", { n: who.value.challenges })}</span><b>{who.value.challenges}</b></a>}
        <button class="quiet icon menu" popovertarget="nav" aria-label={say("nav.title")} title={say("nav.title")}><Icon name="menu" /></button>
        <button class="quiet icon who" aria-label={name ? say("head.who", { name }) : say("head.account")} title={say("head.account")} onClick={() => { accountAsked.value++; }}>
          <Icon name="person" />{name && <span>{name}</span>}
        </button>
        <button class="quiet icon" aria-label={say("settings.title")} title={say("settings.title")} onClick={() => setSettings(settings + 1)}>
          <Icon name="settings" />
        </button>
      </span>
      {settings > 0 && <Settings asked={settings} />}
      {account > 0 && <Account asked={account} />}
    </header>
  );
}
