// Applies the saved theme before the first paint.
(() => {
  try {
    const chosen = JSON.parse(localStorage.getItem("pegwise.theme") ?? "null");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be disabled.
  }
})();
