// Before anything is drawn: the look that was chosen last, so that nothing flashes.
(() => {
  try {
    const chosen = JSON.parse(localStorage.getItem("theme") ?? "null");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // A device that keeps nothing follows the system.
  }
})();
