// @ts-check
// What each move is worth, on the cell that it goes to. The texts come from the server.

import { shape } from "./board.js";

// Show `values` on a board, in place of those that were there; none takes them away.
export function showValues(place, values = {}) {
  for (const old of place.querySelectorAll(".worth")) old.remove();
  for (const cell of place.querySelectorAll(".valued")) {
    cell.classList.remove("valued");
    const title = cell.querySelector("title");
    title.textContent = title.textContent.replace(` (${cell.dataset.worth})`, "");
  }
  for (const [name, { text, kind, best, words }] of Object.entries(values)) {
    const cell = place.querySelector(`[data-cell="${CSS.escape(name)}"]`);
    if (!cell) continue;
    const made = shape("g", { class: `worth ${kind}${best ? " top" : ""}${text.length > 3 ? " long" : ""}` });
    made.append(shape("rect"), shape("text"));
    made.lastChild.textContent = text;
    if (best) {
      made.append(shape("text", { class: "star" }));
      made.lastChild.textContent = "★";
    }
    cell.append(made);
    cell.classList.add("valued");
    cell.dataset.worth = words;
    const title = cell.querySelector("title");
    title.textContent += ` (${words})`;
  }
}

// A button that turns values on and off, here and on the next page.
export class ValuesSwitch {
  constructor(button, changed, usual = false) {
    this.on = (window.gridwise?.get("values") || (usual ? "on" : "off")) === "on";
    const show = () => button.setAttribute("aria-pressed", String(this.on));
    const toggle = () => {
      this.on = !this.on;
      window.gridwise?.set("values", this.on ? "on" : "off");
      show();
      changed();
    };
    show();
    button.hidden = false;
    button.addEventListener("click", toggle);
    addEventListener("keydown", (event) => {
      if (event.key !== "v" || event.altKey || event.ctrlKey || event.metaKey) return;
      if (!/** @type {Element} */ (event.target).matches("input, select, textarea")) toggle();
    });
  }
}
