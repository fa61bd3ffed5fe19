// Installs the service worker, without which nothing works without a network, and says when a new version is
// ready. Like local.ts it imports no other module: who has not installed it loads nothing of it.

type Words = { say: (key: string) => string; loadWords: (part: string) => Promise<void> };

/** versionOf asks a service worker for the version of its assets. */
function versionOf(worker: ServiceWorker): Promise<string> {
  const channel = new MessageChannel();
  return new Promise((done) => {
    channel.port1.onmessage = (e: MessageEvent<string>) => done(e.data);
    worker.postMessage("version", [channel.port2]);
  });
}

/** own is the version of this page: a part of the address of its scripts. */
const own = new URL(import.meta.url).pathname.split("/")[2];

/** install installs the service worker. It rejects if the browser has none. It calls failed if the first one cannot be installed, for example because storage is full. */
export async function install(words: Words, failed = (): void => {}): Promise<void> {
  const all = navigator.serviceWorker, found = await all.register("/sw.js");
  const ready = (): void => { if (found.waiting && all.controller) void meet(found.waiting, words); };
  const watch = (): void => {
    const { installing } = found;
    installing?.addEventListener("statechange", () => {
      if (installing.state === "installed") ready();
      else if (installing.state === "redundant" && !found.active) failed();
    });
  };
  found.addEventListener("updatefound", watch);
  watch(); // the event may have passed
  const before = all.controller;
  all.addEventListener("controllerchange", () => { // another window has begun to use the new version
    if (before && all.controller) void versionOf(all.controller).then((version) => { if (version !== own) void offer(words, () => location.reload()); });
  });
  ready();
}

/** meet uses a new version at once if this page is of it already: pages come from the network first. */
async function meet(waiting: ServiceWorker, words: Words): Promise<void> {
  const skip = (): void => waiting.postMessage("skip");
  if (await versionOf(waiting) === own) return skip();
  await offer(words, () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    skip();
  });
}

/** offer says that a new version is ready, and reloads the page when its user says so: it may be in the middle of something. */
async function offer({ say, loadWords }: Words, reload: () => void): Promise<void> {
  await loadWords("device");
  if (document.querySelector(".update")) return; // not before: two may wait for the words
  const box = document.body.appendChild(document.createElement("div"));
  box.className = "update card bar";
  box.setAttribute("role", "status");
  box.style.cssText = "position:fixed;inset:auto 1rem 1rem auto;z-index:9;padding:.6rem 1rem;align-items:center";
  box.append(say("update.ready"), button(say("update.now"), reload), button(say("update.later"), () => box.remove()));
}

function button(text: string, press: () => void): HTMLButtonElement {
  const b = document.createElement("button");
  b.textContent = text;
  b.onclick = press;
  return b;
}
