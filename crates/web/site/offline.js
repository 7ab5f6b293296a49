// Service worker: caches all files on the first visit, and replaces them together.

import { FILES, VERSION } from "./files.js";

const scope = /** @type {any} */ (self);

scope.addEventListener("install", (/** @type {any} */ event) => {
  const cached = caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" }))));
  event.waitUntil(cached.then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => scope.clients.claim()));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const cached = caches.match(event.request, { ignoreSearch: true, cacheName: VERSION });
  event.respondWith(cached.then((found) => found ?? fetch(event.request)));
});
