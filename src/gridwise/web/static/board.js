// A board on a page: arrow keys move over its cells; a click, a tap, Enter or the space bar selects
// one. The moves of a cell come from the server, in `data-moves`; if a cell stands for more than one
// move, the page asks in place.
//
// `place` is the element around the SVG. `play(move, cell)` is called with the selected move.

const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export class Board {
  constructor(place, play, ask = document.getElementById("ask")) {
    this.place = place;
    this.play = play;
    this.ask = ask;
    this.questions = {};
    this.at = null; // the name of the cell that the Tab key leads to
    place.addEventListener("click", (event) => this.#select(event.target.closest("[data-cell]")));
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("focusin", (event) => this.#rove(event.target.closest("[data-cell]")));
    ask?.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.cancel();
    });
    this.#prepare();
  }

  // Show another picture, and keep the keyboard focus where it was.
  show(svg, { yours = false, questions = [] } = {}) {
    const focused = this.place.contains(document.activeElement);
    this.cancel(false);
    this.place.innerHTML = svg;
    this.set({ yours, questions });
    this.#prepare();
    if (focused) this.#cell(this.at)?.focus({ preventScroll: true });
  }

  // Draw some cells again, by name, and keep the keyboard focus where it was.
  redraw(cells) {
    const focused = this.place.contains(document.activeElement);
    for (const [name, svg] of Object.entries(cells)) {
      const cell = this.#cell(name);
      if (cell) cell.outerHTML = svg;
    }
    this.#prepare();
    if (focused) this.#cell(this.at)?.focus({ preventScroll: true });
  }

  // Whether the cells can be selected, and the questions about them.
  set({ yours, questions = [] }) {
    this.place.classList.toggle("yours", yours);
    this.place.classList.toggle("many", this.place.querySelectorAll(".open").length > 8);
    this.questions = Object.fromEntries(questions.map((each) => [each.cell, each]));
  }

  // Close a question without an answer.
  cancel(focus = true) {
    const asked = this.place.querySelector(".asked");
    asked?.classList.remove("asked");
    if (this.ask && !this.ask.hidden) {
      this.ask.hidden = true;
      this.ask.replaceChildren();
      if (focus) asked?.focus();
    }
  }

  focus() {
    this.#cell(this.at)?.focus();
  }

  #rows() {
    return [...this.place.querySelectorAll('[role="row"]')].map((row) => [...row.querySelectorAll("[data-cell]")]);
  }

  #cell(name) {
    return name === null ? null : this.place.querySelector(`[data-cell="${CSS.escape(name)}"]`);
  }

  // One cell can be reached with Tab: the last one that had the focus, or the first open one.
  #prepare() {
    const first = this.#cell(this.at) ?? this.place.querySelector(".open") ?? this.place.querySelector("[data-cell]");
    if (first) this.#rove(first);
  }

  #rove(cell) {
    if (!cell) return;
    this.#cell(this.at)?.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    this.at = cell.dataset.cell;
  }

  #key(event) {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.#select(cell);
    else if (event.key === "Escape") this.cancel();
    else if (!this.#step(cell, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #step(cell, key) {
    const rows = this.#rows();
    const row = rows.findIndex((each) => each.includes(cell));
    const col = rows[row]?.indexOf(cell);
    let next;
    if (key in STEPS) next = rows[row + STEPS[key][0]]?.[col + STEPS[key][1]] ?? cell;
    else if (key === "Home") next = rows[row][0];
    else if (key === "End") next = rows[row].at(-1);
    else return false;
    next.focus();
    return true;
  }

  #select(cell) {
    if (!cell || !this.place.classList.contains("yours")) return;
    this.cancel(false);
    const moves = (cell.dataset.moves ?? "").split(" ").filter(Boolean);
    const question = this.questions[cell.dataset.cell];
    if (moves.length > 1 && question && this.ask) this.#question(cell, question);
    else if (moves.length) this.play(moves[0], cell);
    else this.place.dispatchEvent(new CustomEvent("illegal", { detail: cell.dataset.cell }));
  }

  #question(cell, { lead, text, answers }) {
    cell.classList.add("asked");
    const paragraph = document.createElement("p");
    // The lines of the dialogue have no full stop where they end in a number.
    const sentences = lead.map((each) => (/[.?!]$/.test(each) ? each : `${each}.`));
    paragraph.textContent = [...sentences, text].join(" ");
    paragraph.id = "asked";
    const row = document.createElement("div");
    row.className = "row";
    for (const [answer, move] of Object.entries(answers)) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = answer[0].toUpperCase() + answer.slice(1);
      button.addEventListener("click", () => {
        this.cancel(true);
        this.play(move, cell);
      });
      row.append(button);
    }
    const cancel = document.createElement("button");
    cancel.type = "button";
    cancel.className = "quiet";
    cancel.textContent = "Choose another move";
    cancel.addEventListener("click", () => this.cancel());
    row.append(cancel);
    this.ask.replaceChildren(paragraph, row);
    this.ask.hidden = false;
    this.ask.scrollIntoView({ block: "nearest" });
    row.firstElementChild.focus();
  }
}
