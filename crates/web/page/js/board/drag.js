// Dragging pegs with a mouse, a pen or a finger.

import { h } from "../dom.js";

/** Distance in pixels that a pointer moves before a drag starts. */
const SLACK = 6;

/**
 * Makes elements that match `selector` draggable onto holes.
 * @param {HTMLElement} root @param {string} selector
 * @param {(from: HTMLElement, hole: HTMLElement) => void} drop
 */
export function dragging(root, selector, drop) {
  root.addEventListener("pointerdown", (down) => {
    const from = down.target instanceof Element ? down.target.closest(selector) : null;
    if (!(from instanceof HTMLElement) || down.button !== 0) return;
    /** @type {HTMLElement | null} */
    let ghost = null;

    /** @param {PointerEvent} event */
    const move = (event) => {
      if (!ghost && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SLACK) return;
      if (!ghost) {
        const peg = from.querySelector(".peg");
        ghost = h("div", { class: "ghost", vars: { peg: `${peg?.getBoundingClientRect().width ?? 40}px` } },
          peg?.cloneNode(true),
        );
        document.body.append(ghost);
        document.body.classList.add("dragging");
      }
      ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
      document.querySelectorAll(".hole.over").forEach((hole) => hole.classList.remove("over"));
      under(event)?.classList.add("over");
    };
    /** @param {PointerEvent} event */
    const end = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (!ghost) return;
      const hole = event.type === "pointerup" ? under(event) : null;
      ghost.remove();
      document.body.classList.remove("dragging");
      document.querySelectorAll(".hole.over").forEach((other) => other.classList.remove("over"));
      // Suppresses the click that ends a drag, and no later one.
      const swallow = (/** @type {Event} */ click) => click.stopPropagation();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, true), 0);
      if (hole) drop(from, hole);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });
}

/** The hole under a pointer. @param {PointerEvent} event */
function under(event) {
  const hole = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
  return hole instanceof HTMLElement ? hole : null;
}
