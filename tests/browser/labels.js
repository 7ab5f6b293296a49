// Checks for screen readers beyond axe-core: names, one main heading, a language, landmarks, contrast.

/** Returns the problems of a page. @param {import("playwright-core").Page} page @returns {Promise<string[]>} */
export function labels(page) {
  return page.evaluate(() => {
    const wrong = [];
    const visible = (element) => element.checkVisibility({ visibilityProperty: true });
    const say = (element) => `${element.tagName.toLowerCase()}.${element.className} ${element.outerHTML.slice(0, 90)}`;
    const name = (element) => {
      const labelled = element.getAttribute("aria-labelledby");
      const byId = labelled && document.getElementById(labelled)?.textContent;
      const byLabel = element.labels?.length ? [...element.labels].map((label) => label.textContent).join(" ") : "";
      return (
        element.getAttribute("aria-label") ||
        byId ||
        byLabel ||
        element.getAttribute("alt") ||
        element.textContent ||
        element.title ||
        ""
      ).trim();
    };
    for (const element of document.querySelectorAll(
      "button, a[href], input, select, textarea, summary, [role=img], img, [role=toolbar], [role=group], section, nav, ol.board",
    )) {
      if (visible(element) && !name(element)) wrong.push(`no name: ${say(element)}`);
    }
    if (document.querySelectorAll("h1").length !== 1) wrong.push("not one main heading");
    if (!document.documentElement.lang) wrong.push("no language");
    if (document.querySelectorAll("main").length !== 1 || !document.querySelector("nav")) wrong.push("no main or nav");
    if (!document.querySelector("[aria-live=polite]")) wrong.push("no live region");
    if (!document.querySelector("nav [aria-current=page]")) wrong.push("no current page");
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    if (new Set(ids).size !== ids.length) wrong.push("an id twice");
    for (const table of document.querySelectorAll("table"))
      if (!table.querySelector("th[scope=col]")) wrong.push(`no headings: ${say(table)}`);

    // Contrast of text against the nearest opaque background.
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) =>
      [r, g, b]
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
    for (const element of document.querySelectorAll(
      "p, h1, h2, button, a, th, td, label span, code, summary, dd, dt",
    )) {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
      if (!own || !visible(element) || element.closest(":disabled, .unseen, .skip, .board")) continue;
      let ground = element;
      while (ground && rgba(getComputedStyle(ground).backgroundColor)[3] < 255) ground = ground.parentElement;
      const [one, other] = [
        light(rgba(getComputedStyle(element).color)),
        light(rgba(getComputedStyle(ground ?? document.body).backgroundColor)),
      ].sort((a, b) => b - a);
      const ratio = (one + 0.05) / (other + 0.05);
      if (ratio < 4.5) wrong.push(`contrast ${ratio.toFixed(2)}: ${say(element)}`);
    }
    return wrong;
  });
}
