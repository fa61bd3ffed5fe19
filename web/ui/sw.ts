// The service worker: it answers for the server when that cannot be reached. The server puts what it keeps
// before this text (web/offline.go). Files are kept by the hash of their content, so that an update loads
// only what has changed. It never touches the API.

interface Kept {
  version: string; // of the assets
  language: string; // of the pages
  files: Record<string, string>; // the hash of each asset
  pages: string[]; // the first is shown in place of those that need the server
}

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends Lasting {
  data: { json(): { title: string; body: string; path: string; tag: string } } | null;
}

interface NoticeEvent extends Lasting {
  notification: Notification;
}

interface FetchEvent extends Lasting {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Scope {
  oninstall: (e: Lasting) => void;
  onactivate: (e: Lasting) => void;
  onfetch: (e: FetchEvent) => void;
  onmessage: (e: MessageEvent<string>) => void;
  onpush: (e: PushEvent) => void;
  onnotificationclick: (e: NoticeEvent) => void;
  clients: { claim(): Promise<void>; matchAll(of: object): Promise<{ url: string; focus(): Promise<unknown> }[]>; openWindow(url: string): Promise<unknown> };
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
}

declare const quintet: Kept;
const worker = self as unknown as Scope, { version, files } = quintet;

const filesCache = "quintet-files", pagesCache = `quintet-pages-${version}-${quintet.language}`;
const keyOf = (name: string): string => `/assets/${files[name]}/${name}`;
const bare = (path: string): string => (path.length > 1 ? path.replace(/\/$/, "") : path);

/** load fetches something to be kept. Browsers do not take a redirected response for a page, so it is made anew. */
async function load(path: string): Promise<{ data: ArrayBuffer; headers: Headers }> {
  const r = await fetch(path, { cache: "no-cache" });
  if (!r.ok) throw new Error(`${path}: ${r.status}`);
  return { data: await r.arrayBuffer(), headers: r.headers };
}

async function hash(data: ArrayBuffer): Promise<string> {
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(sum.subarray(0, 6), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** keepFile keeps an asset that is not there yet. A server of another version may answer during an update: its content is refused. */
async function keepFile(cache: Cache, name: string): Promise<void> {
  if (await cache.match(keyOf(name))) return;
  const { data, headers } = await load(/\.(bin|gz)$/.test(name) ? keyOf(name) : `/assets/${version}/${name}`); // large files have an address of their own (web/large.go)
  if (await hash(data) !== files[name]) throw new Error(`${name} is of another version`);
  await cache.put(keyOf(name), new Response(data, { headers }));
}

async function keepAll(): Promise<void> {
  const cache = await caches.open(filesCache), names = Object.keys(files);
  for (let i = 0; i < names.length; i += 8) await Promise.all(names.slice(i, i + 8).map((name) => keepFile(cache, name)));
  const pages = await caches.open(pagesCache);
  for (const path of quintet.pages) {
    const { data, headers } = await load(path);
    await pages.put(bare(path), new Response(data, { headers }));
  }
}

/** drop removes what earlier versions kept. */
async function drop(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith("quintet-pages-") && name !== pagesCache) await caches.delete(name);
  const cache = await caches.open(filesCache), kept = new Set(Object.keys(files).map(keyOf));
  for (const { url } of await cache.keys()) if (!kept.has(new URL(url).pathname)) await cache.delete(url);
}

worker.oninstall = (e) => e.waitUntil(keepAll());
worker.onactivate = (e) => e.waitUntil(drop().then(() => worker.clients.claim()));
worker.onmessage = (e) => {
  if (e.data === "version") e.ports[0].postMessage(version);
  if (e.data === "skip") void worker.skipWaiting();
};

worker.onpush = (e) => {
  if (!e.data) return;
  const { title, body, path, tag } = e.data.json();
  e.waitUntil(worker.registration.showNotification(title, { body, tag, data: path, icon: keyOf("icon-192.png"), lang: quintet.language }));
};

worker.onnotificationclick = (e) => {
  e.notification.close();
  e.waitUntil(open(new URL(String(e.notification.data), location.origin)));
};

/** open shows a page of this site: a window that has it, or a new one. */
async function open({ origin, pathname }: URL): Promise<unknown> {
  const own = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = own.find(({ url }) => new URL(url).pathname === pathname);
  return found ? found.focus() : origin === location.origin && worker.clients.openWindow(pathname);
}

worker.onfetch = (e) => {
  const { origin, pathname } = new URL(e.request.url);
  if (e.request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (pathname.startsWith("/assets/")) e.respondWith(asset(e.request, pathname));
  else if (e.request.mode === "navigate") e.respondWith(page(e.request, bare(pathname)));
};

/** asset returns a file of this version from the cache. Those of other versions are the server's. */
async function asset(request: Request, path: string): Promise<Response> {
  const [, , of, name] = path.split("/");
  const own = name in files && (of === version || of === files[name]);
  return (own && await (await caches.open(filesCache)).match(keyOf(name))) || fetch(request);
}

const patience = 5_000; // milliseconds that a page may take before the one that is kept is shown

/** page asks the server, and returns the page that is kept if no answer comes. */
async function page(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(pagesCache), kept = await cache.match(path);
  const late = new Promise<null>((done) => { if (kept) setTimeout(() => done(null), patience); });
  const answer = await Promise.race([fetch(request).catch(() => null), late]);
  if (answer && answer.status < 500) return answer;
  return kept ?? answer ?? (await cache.match(bare(quintet.pages[0]))) ?? Response.error();
}

export {};
