// Keeps the page for when there is no network.
if ("serviceWorker" in navigator) addEventListener("load", () => navigator.serviceWorker.register("offline.js", { type: "module" }));
