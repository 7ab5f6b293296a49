// Service worker: caches all files on the first visit, and replaces them together. The bundler defines FILES and VERSION.

const scope = /** @type {any} */ (self);
/** Prefix of the caches of this site; other pages of the origin have their own, also another copy of this one. */
const PREFIX = `pegwise ${scope.registration.scope} `;
const CACHE = PREFIX + VERSION;

scope.addEventListener("install", (/** @type {any} */ event) => {
  // Only files without a hash in their names can change.
  const request = (/** @type {string} */ file) => new Request(file, { cache: /-[0-9a-f]{8}\./.test(file) ? "default" : "reload" });
  const cached = caches.open(CACHE).then((cache) => cache.addAll(FILES.map(request)));
  event.waitUntil(cached.then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (/** @type {any} */ event) => {
  const isOld = (/** @type {string} */ name) => name.startsWith(PREFIX) && name !== CACHE;
  const old = caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => scope.clients.claim()));
});

scope.addEventListener("fetch", (/** @type {any} */ event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const cached = caches.match(event.request, { ignoreSearch: true, cacheName: CACHE });
  event.respondWith(cached.then((found) => found ?? fetch(event.request)));
});
