// A board on a page: its cells are walked over with the arrow keys, and chosen with a click, a tap,
// Enter or the space bar. What a cell means comes from the server, in `data-moves`; where a cell
// stands for more than one move, the page asks in place.
//
// `place` is the element around the SVG. `play(move, cell)` is called with the move that was chosen.

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
    place.addEventListener("click", (event) => this.#choose(event.target.closest("[data-cell]")));
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("focusin", (event) => this.#rove(event.target.closest("[data-cell]")));
    ask?.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.cancel();
    });
    this.#prepare();
  }

  // Put in another picture, and keep the place of whoever walks over it.
  show(svg, { yours = false, questions = [] } = {}) {
    const walking = this.place.contains(document.activeElement);
    this.cancel(false);
    this.place.innerHTML = svg;
    this.set({ yours, questions });
    this.#prepare();
    if (walking) this.#cell(this.at)?.focus({ preventScroll: true });
  }

  // Whether the cells can be chosen, and what is to be asked about them.
  set({ yours, questions = [] }) {
    this.place.classList.toggle("yours", yours);
    this.place.classList.toggle("many", this.place.querySelectorAll(".open").length > 8);
    this.questions = Object.fromEntries(questions.map((each) => [each.cell, each]));
  }

  // Take back a question that has not been answered.
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

  // One cell can be reached with Tab: the last one walked to, or the first that can be chosen.
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
    if (event.key === "Enter" || event.key === " ") this.#choose(cell);
    else if (event.key === "Escape") this.cancel();
    else if (!this.#walk(cell, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #walk(cell, key) {
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

  #choose(cell) {
    if (!cell || !this.place.classList.contains("yours")) return;
    this.cancel(false);
    const moves = (cell.dataset.moves ?? "").split(" ").filter(Boolean);
    const question = this.questions[cell.dataset.cell];
    if (moves.length > 1 && question && this.ask) this.#question(cell, question);
    else if (moves.length) this.play(moves[0], cell);
    else this.place.dispatchEvent(new CustomEvent("nomove", { detail: cell.dataset.cell }));
  }

  #question(cell, { lead, prompt, answers }) {
    cell.classList.add("asked");
    const told = document.createElement("p");
    // The lines of the dialogue, run together; the answers stand on the buttons.
    const lines = [...lead, prompt.replace(/\s*\([^)]*\):\s*$/, "")];
    told.textContent = lines.map((each) => (/[.?!]$/.test(each) ? each : `${each}.`)).join(" ");
    told.id = "asked";
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
    const never = document.createElement("button");
    never.type = "button";
    never.className = "quiet";
    never.textContent = "Another move";
    never.addEventListener("click", () => this.cancel());
    row.append(never);
    this.ask.replaceChildren(told, row);
    this.ask.hidden = false;
    this.ask.scrollIntoView({ block: "nearest" });
    row.firstElementChild.focus();
  }
}
