// @ts-check
// The service worker: where a page cannot be fetched, it shows one that says so.
//
// It keeps that page and what that needs, and nothing else: no other page is ever an old one, and
// whatever a page loads is left to the browser. The server writes what to keep, under its version.

const [VERSION, PAGE, ...FILES] = /** @type {string[]} */ (["KEPT"]);

/** @type {any} */
const worker = self;

worker.addEventListener("install", (event) => {
  const kept = caches.open(VERSION).then((cache) => cache.addAll([PAGE, ...FILES]));
  event.waitUntil(kept.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const older = caches.keys().then((names) => names.filter((name) => name !== VERSION));
  const removed = older.then((names) => Promise.all(names.map((name) => caches.delete(name))));
  // The page is asked for while the worker starts.
  event.waitUntil(Promise.all([removed, worker.registration.navigationPreload?.enable()]));
});

worker.addEventListener("fetch", (event) => {
  const { mode, method, url } = event.request;
  if (mode === "navigate" && method === "GET") event.respondWith(page(event));
  else if (FILES.includes(new URL(url).pathname)) {
    event.respondWith(kept(event.request).then((file) => file ?? fetch(event.request)));
  }
});

const kept = (request) => caches.match(request, { ignoreVary: true });

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await kept(PAGE)) ?? Response.error();
  }
}
