// Registers the service worker.
if ("serviceWorker" in navigator) addEventListener("load", () => navigator.serviceWorker.register("offline.js", { type: "module" }));
