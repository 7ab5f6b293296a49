// The page with a service worker, whose script is never taken from the HTTP cache, so that a new version is noticed.

import "../page/js/main.js";

if ("serviceWorker" in navigator)
  addEventListener("load", () => navigator.serviceWorker.register("offline.js", { type: "module", updateViaCache: "none" }));
