// Registers the service worker. Its files are never taken from the HTTP cache, so that a new version is noticed.
if ("serviceWorker" in navigator)
  addEventListener("load", () => navigator.serviceWorker.register("offline.js", { type: "module", updateViaCache: "none" }));
