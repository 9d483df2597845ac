// @ts-check
// A board on a page: it shows what the server has drawn, opens the cells that can be chosen, and asks
// in place if a cell stands for more than one move. There are no rules in here.
//
// Arrow keys move over the cells; a click, a tap, Enter or the space bar selects one. `place` is the
// element around the SVG; `play(move, cell)` is called with the selected move. `show` and `update`
// draw at once what is true; the animation is laid over it, so that it can be cut off at any moment.
// It is loaded when the page is there: until then, and if it cannot be, states jump.

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

// What the server has written, in the colours that the reader has chosen: it says Red where some see
// Orange. Names of people with such a word in them stand between two marks, and stay.
export function inColours(text) {
  const red = document.documentElement.dataset.theme === "colour-blind" ? "Orange" : "Red";
  return text.replace(/\u2068[^\u2069<]*|\b(?:Red|Orange)\b/g, (each) => (each[0] === "\u2068" ? each : red));
}

// An SVG element.
export function shape(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Where a cell begins, in the units of the SVG.
export function corner(cell) {
  const { e, f } = cell.transform.baseVal.consolidate().matrix;
  return [e, f];
}

export const centre = (cell) => corner(cell).map((each) => each + 32);

// Where a box over the board hides as little as possible of some places (`shown`, in the window), and
// of all such spots the one nearest to `near`; `reach` is how far it may leave the board.
export function clearSpot(place, { offsetWidth: width, offsetHeight: height }, shown, near, reach = 0) {
  const around = place.getBoundingClientRect();
  const high = Math.max(4, around.top - reach);
  const low = Math.max(high, Math.min(innerHeight - 4, around.bottom + reach) - height);
  const shared = (from, to, start, end) => Math.max(0, Math.min(to, end) - Math.max(from, start));
  let best = [Infinity, 0, 0];
  for (let step = 0; step < 17 * 17; step += 1) {
    const left = around.left + ((around.width - width) * (step % 17)) / 16;
    const top = high + ((low - high) * Math.floor(step / 17)) / 16;
    const covers = (each) =>
      shared(left, left + width, each.left, each.right) * shared(top, top + height, each.top, each.bottom);
    const hidden = shown.reduce((sum, each) => sum + covers(each), 0);
    const [x, y] = [left + width / 2 - near.left - near.width / 2, top + height / 2 - near.top - near.height / 2];
    const far = Math.hypot(x, y);
    if (hidden * 100 + far < best[0]) best = [hidden * 100 + far, left - around.left, top - around.top];
  }
  return best.slice(1).map((each) => `${each}px`);
}

async function loaded() {
  const loaded = (resolve) => addEventListener("load", resolve, { once: true });
  if (document.readyState !== "complete") await new Promise(loaded);
  return import("./animate.js");
}

export class Board {
  #animation = null;
  #questions = {};
  #names = new WeakMap(); // cell: its title, as the server wrote it
  #asked = null;
  #visited = false; // whether the focus has been on a cell
  #acted = false; // whether the last click has chosen something

  constructor(place, play) {
    this.place = place;
    this.play = play;
    this.at = null; // the name of the cell that the Tab key leads to
    this.ready = loaded().then(({ Animation }) => (this.#animation = new Animation(place))).catch(() => {});
    const ask = '<div id="ask" class="ask" role="group" aria-labelledby="asked" hidden></div>';
    for (const title of place.querySelectorAll("title")) title.textContent = inColours(title.textContent);
    place.insertAdjacentHTML("beforeend", ask);
    this.ask = place.lastElementChild;
    place.addEventListener("click", ({ target, detail }) => {
      // The second click of two belongs to the first, also if that was answered in between.
      if (detail > 1 && this.#acted) return;
      this.#acted = target.matches("[data-answer]") || this.#select(target.closest("[data-cell]"));
    });
    place.addEventListener("keydown", (event) => this.#key(event));
    place.addEventListener("focusin", (event) => {
      this.#visited = true;
      this.#rove(event.target.closest("[data-cell]"));
    });
    this.ask.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.cancel();
    });
    this.#prepare();
  }

  // Show another picture, and keep the keyboard focus where it was. Resolves when all is still.
  show(svg, { yours = false, questions = [], event = null, news = [] } = {}) {
    const before = this.#animation?.before(event);
    this.#keepFocus(() => {
      this.cancel(false);
      const drawn = document.createElement("template");
      drawn.innerHTML = inColours(svg);
      this.place.querySelector("svg")?.remove();
      this.place.prepend(drawn.content);
      this.set({ yours, questions });
    });
    return this.#after(before, event, news);
  }

  // Draw some cells again, by name. Resolves when all is still.
  update({ svg_cells: cells = {}, event = null, news = [] }) {
    const before = this.#animation?.before(event);
    this.#keepFocus(() => {
      const drawn = shape("g");
      for (const [name, svg] of Object.entries(cells)) {
        const cell = this.cell(name);
        if (!cell) continue;
        drawn.innerHTML = inColours(svg);
        const look = drawn.firstElementChild;
        const marks = [...cell.classList].filter((each) => /^(from|to)-/.test(each));
        cell.setAttribute("class", [look.getAttribute("class"), ...marks].join(" "));
        cell.replaceChildren(...look.childNodes);
        cell.removeAttribute("data-moves");
        this.#names.delete(cell);
      }
    });
    return this.#after(before, event, news);
  }

  #after(before, event, news) {
    if (!event) return Promise.resolve();
    const token = event.tokens.find((each) => each.player === event.player);
    this.mark({ [event.player]: { from: token?.from ?? null, to: event.to } }, event.player, false);
    return this.#animation?.play(before, event, news) ?? Promise.resolve();
  }

  // Cut the animation off: the board shows what is true.
  settle() {
    this.#animation?.stop();
  }

  // Whether cells can be selected, which ones (`targets` beside `legal` moves), and the questions
  // about them; `turn` is whose token moves. Without `targets` the picture says which are open.
  set({ yours, legal = null, targets = null, questions = [], turn = 0 }) {
    this.#questions = Object.fromEntries(questions.map((each) => [each.cell, each]));
    this.place.classList.toggle("yours", Boolean(yours));
    if (legal && targets) this.#open(yours ? legal : [], targets, turn);
    this.place.classList.toggle("many", this.place.querySelectorAll(".open").length > 8);
    this.#prepare();
  }

  #open(legal, targets, turn) {
    for (const cell of this.place.querySelectorAll(".open")) {
      cell.classList.remove("open");
      cell.removeAttribute("data-moves");
      this.#say(cell);
    }
    const open = new Set();
    legal.forEach((move, index) => {
      const cell = this.cell(targets[index]);
      if (!cell) return;
      cell.dataset.moves = cell.dataset.moves ? `${cell.dataset.moves} ${move}` : move;
      cell.classList.add("open");
      open.add(cell);
    });
    for (const cell of open) this.#say(cell);
    this.#rays(open, turn || Number(this.place.dataset.you));
  }

  // Lines from the token to move to where it can land, in the games that want them.
  #rays(open, player) {
    const layer = this.place.querySelector("g.rays");
    if (!layer) return;
    const who = player === 2 ? "two" : "one";
    const piece = this.place.querySelector(`.piece.${who}`)?.closest("[data-cell]");
    layer.replaceChildren();
    if (!piece) return;
    const [x, y] = centre(piece);
    for (const cell of open) {
      const [toX, toY] = centre(cell);
      const length = Math.abs(toX - x) + Math.abs(toY - y);
      // Over the cells between, beside their numbers; as show/svg.py draws it.
      const points = Array.from({ length: 9 }, (_, step) => {
        const far = 26 / length + (1 - 46 / length) * (step / 8);
        const aside = length > 64 ? 128 * far * (1 - far) : 0;
        const [left, top] = [x + (toX - x) * far, y + (toY - y) * far];
        return toX === x ? `${left + aside},${top}` : `${left},${top - aside}`;
      });
      layer.append(shape("polyline", { class: `ray ${who}`, points: points.join(" ") }));
    }
  }

  // Mark the last move of each player: where it came from and where it went.
  mark(marks, latest = 0, all = true) {
    for (const player of [1, 2]) {
      if (!all && !(player in marks)) continue;
      for (const name of [`from-${player}`, `to-${player}`]) {
        this.place.querySelector(`.${name}`)?.classList.remove(name);
        this.cell(marks[player]?.[name.split("-")[0]])?.classList.add(name);
      }
    }
    const last = this.cell(marks[latest]?.to);
    if (!last) return;
    const old = this.place.querySelector(".last");
    old?.classList.remove("last");
    last.classList.add("last");
    for (const cell of [old, last]) if (cell) this.#say(cell);
  }

  // Draw an arrow, between the rims of tokens or numbers; `kind` is "best" or "played".
  arrow(from, to, kind = "best") {
    const [one, two] = [this.cell(from), this.cell(to)];
    if (!two) return;
    const layer = this.place.querySelector(".arrows") ?? shape("g", { class: "arrows", "aria-hidden": "true" });
    this.place.querySelector("svg").append(layer);
    const [toX, toY] = centre(two);
    if (!one || one === two) {
      layer.append(shape("circle", { class: `arrow ${kind}`, cx: toX, cy: toY, r: 25 }));
      return;
    }
    const [x, y] = centre(one);
    const length = Math.hypot(toX - x, toY - y);
    const turn = (Math.atan2(toY - y, toX - x) * 180) / Math.PI;
    const room = (each) => (each.querySelector(".piece") ? 27 : 17);
    const [begin, end] = [room(one), length - room(two)];
    const neck = Math.max(begin, end - 16);
    const points = `${begin},-4 ${neck},-4 ${neck},-13 ${end},0 ${neck},13 ${neck},4 ${begin},4`;
    const transform = `translate(${x} ${y}) rotate(${turn})`;
    layer.append(shape("polygon", { class: `arrow ${kind}`, points, transform }));
  }

  clearArrows() {
    this.place.querySelector(".arrows")?.remove();
  }

  // Point to some cells, by name: a hint, or what a lesson asks for.
  highlight(cells = []) {
    for (const cell of this.place.querySelectorAll(".hinted")) cell.classList.remove("hinted");
    for (const name of cells) this.cell(name)?.classList.add("hinted");
  }

  // Points that float from a cell to the score of a player.
  float(cell, text, player) {
    return this.#animation?.float(this.cell(cell), text, player);
  }

  // Close a question without an answer.
  cancel(focus = true) {
    const asked = this.#asked;
    this.#asked = null;
    asked?.classList.remove("asked");
    if (this.ask.hidden) return;
    this.ask.hidden = true;
    this.ask.replaceChildren();
    if (focus) asked?.focus();
  }

  focus() {
    this.cell(this.at)?.focus();
  }

  cell(name) {
    return name == null ? null : this.place.querySelector(`[data-cell="${CSS.escape(name)}"]`);
  }

  // What a cell is called: what the server has written, and what this page knows beyond it.
  #say(cell) {
    const title = cell.querySelector("title");
    if (!title) return;
    if (!this.#names.has(cell)) this.#names.set(cell, title.textContent);
    const said = [this.#names.get(cell)];
    if (cell.classList.contains("last")) said.push("the last move");
    if (cell.classList.contains("open")) said.push("open to you");
    title.textContent = said.join(", ");
  }

  #keepFocus(change) {
    const focused = this.place.contains(document.activeElement) && !this.ask.contains(document.activeElement);
    change();
    this.#prepare();
    if (focused) this.cell(this.at)?.focus({ preventScroll: true });
  }

  // One cell can be reached with Tab: the last one that had the focus, or the first open one.
  #prepare() {
    const here = this.cell(this.at);
    const open = this.place.querySelector(".open");
    this.#rove((this.#visited && here) || open || here || this.place.querySelector("[data-cell]"));
  }

  #rove(cell) {
    if (!cell) return;
    this.cell(this.at)?.setAttribute("tabindex", "-1");
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
    const row = [...cell.parentNode.children];
    const rows = [...this.place.querySelectorAll('[role="row"]')];
    const col = row.indexOf(cell);
    let next;
    if (key in STEPS) {
      const [down, right] = STEPS[key];
      next = rows[rows.indexOf(cell.parentNode) + down]?.children[col + right] ?? cell;
    } else if (key === "Home") next = row[0];
    else if (key === "End") next = row.at(-1);
    else return false;
    next.focus();
    return true;
  }

  // Make the move of a cell, or ask which; whether it stands for one.
  #select(cell) {
    if (!cell || !this.place.classList.contains("yours")) return false;
    this.cancel(false);
    const moves = (cell.dataset.moves ?? "").split(" ").filter(Boolean);
    const question = this.#questions[cell.dataset.cell];
    if (moves.length > 1 && question) this.#question(cell, question);
    else if (moves.length) this.play(moves[0], cell);
    else this.place.dispatchEvent(new CustomEvent("illegal", { detail: cell.dataset.cell }));
    return moves.length > 0;
  }

  #question(cell, { text, answers, labels = [], default: usual, stakes = "" }) {
    this.#asked = cell;
    cell.classList.add("asked");
    const paragraph = Object.assign(document.createElement("p"), { textContent: text, id: "asked" });
    const outcome = Object.assign(document.createElement("small"), { textContent: stakes });
    const buttons = Object.entries(answers).map(([answer, move], index) => {
      const label = labels[index] ?? answer[0].toUpperCase() + answer.slice(1);
      return this.#button(label, answer === (usual ?? Object.keys(answers)[0]) ? "main" : "", answer, () => {
        this.cancel(true);
        this.play(move, cell);
      });
    });
    buttons.push(this.#button("Choose another move", "quiet", "cancel", () => this.cancel()));
    this.ask.replaceChildren(paragraph, ...buttons.slice(0, -1), outcome, buttons.at(-1));
    this.ask.hidden = false;
    const at = cell.getBoundingClientRect();
    const shown = [...this.place.querySelectorAll(".piece")].map((each) => each.getBoundingClientRect());
    [this.ask.style.left, this.ask.style.top] = clearSpot(this.place, this.ask, [at, ...shown], at, 400);
    this.ask.scrollIntoView({ block: "nearest" });
    this.ask.querySelector(".main").focus();
  }

  #button(label, look, answer, chosen) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = look;
    button.textContent = label;
    button.dataset.answer = answer;
    button.addEventListener("click", chosen);
    return button;
  }
}
