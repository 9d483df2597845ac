// @ts-check
// Moves as something that happens: tokens slide, cells fill or turn over, points float to the score,
// a challenge is a moment. Only pictures of how the board looked are moved, in a layer above it that
// is thrown away: under it the board shows what is true from the start. Only transform and opacity
// are animated. Nothing moves for somebody who prefers that, at pace 0, or in a hidden tab.

import { clearSpot, corner, shape } from "./board.js";
import { play as sound } from "./sound.js";

const CELL = 64; // as in show/svg.py
const EASE = "cubic-bezier(.3, .7, .2, 1)";
const STATES = ["open", "last", "hinted", "sending", "asked", "from-1", "from-2", "to-1", "to-2"];

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const isQuick = () => document.hidden || Number(window.gridwise?.get("pace") ?? 600) === 0;
const isStill = () => isCalm() || isQuick();

const scaled = (across, down = across) => `translate(32px, 32px) scale(${across}, ${down}) translate(-32px, -32px)`;
/** @type {(place: number[]) => string} */
const moved = ([x, y]) => `translate(${x}px, ${y}px)`;
const piece = (player) => `.piece.${player === 1 ? "one" : "two"}`;

export class Animation {
  #running = null; // the moves of the layer: {layer, all, done}
  #moment = null; // the words on the board

  constructor(place) {
    this.place = place;
    document.addEventListener("visibilitychange", () => document.hidden && this.stop());
  }

  // Pictures of the cells that an event is about, by name, as they look before it.
  before(event) {
    this.stop();
    if (!event || isStill()) return null;
    const names = event.tokens.flatMap((each) => [each.from, each.to]);
    const looks = new Map();
    for (const name of [event.to, ...names, ...event.claimed, ...event.revealed]) {
      const cell = this.#cell(name);
      if (cell) looks.set(name, this.#picture(cell));
    }
    // Whoever is challenged may stay where they are.
    for (const player of [1, 2]) {
      const cell = this.place.querySelector(piece(player))?.closest("[data-cell]");
      if (cell) looks.set(cell.dataset.cell, looks.get(cell.dataset.cell) ?? this.#picture(cell));
    }
    return looks;
  }

  // Play an event over the board that shows what came of it. Resolves when it is over, or cut off.
  play(before, event, news = []) {
    sound(event.challenge ? "challenge" : event.tokens.length ? "move" : "claim");
    if (!before) {
      if (event.challenge && !isQuick()) this.#say(event, news); // words do not move
      return Promise.resolve();
    }
    const layer = shape("g", { class: "flying", "aria-hidden": "true" });
    this.place.querySelector("svg").append(layer);
    const running = { layer, all: [], done: null };
    this.#running = running;
    const over = new Promise((resolve) => (running.done = resolve));
    this.#script(running, before, event, news)
      .catch(() => {}) // an animation that is cut off says so by an error
      .finally(() => this.#running === running && this.#end());
    return over;
  }

  // Show what is true, now.
  stop() {
    this.#moment?.remove();
    this.#end();
  }

  #end() {
    const running = this.#running;
    this.#running = null;
    if (!running) return;
    for (const each of running.all) each.cancel();
    running.layer.remove();
    running.done();
  }

  async #script(running, before, event, news) {
    const covers = new Map();
    for (const [name, look] of before) covers.set(name, this.#lay(running, name, look));
    await this.#tokens(running, before, covers, event, news);
    const turned = [...new Set([...event.claimed, ...event.revealed])];
    await Promise.all(turned.map((name, index) => this.#turn(running, covers.get(name), name, index)));
    if (!event.challenge) this.#points([event.to, event.to], event.scored);
  }

  // Tokens

  // One step after the other: the player who moved, then whoever is sent home.
  async #tokens(running, before, covers, event, news) {
    const { player, to, challenge, tokens } = event;
    const flying = new Map();
    const flown = (who, from) => flying.get(who) ?? flying.set(who, this.#fly(running, covers, who, from)).get(who);
    for (const [index, step] of tokens.entries()) {
      await this.#slide(running, flown(step.player, step.from), step.from, step.to, index ? 560 : 240);
      if (index || !challenge) continue;
      const met = this.#standing(before, 3 - player);
      await this.#clash(running, flown(player, to), flown(3 - player, met), to, met, event, news);
    }
  }

  // The cell of a player's token, among pictures.
  #standing(before, player) {
    for (const [name, look] of before) if (look.querySelector(piece(player))) return name;
    return null;
  }

  // Take a token out of the picture of its cell, to be moved.
  #fly(running, covers, player, name) {
    const holder = shape("g");
    const token = covers.get(name)?.querySelector(piece(player));
    if (token) holder.append(token);
    // Where nobody will stand, the true cell shows what is under the token.
    if (!this.#cell(name).querySelector(piece(player))) covers.get(name)?.remove();
    running.layer.append(holder);
    holder.style.transform = moved(corner(this.#cell(name)));
    return holder;
  }

  async #slide(running, token, from, to, least = 240) {
    const [start, end] = [from, to].map((name) => corner(this.#cell(name)));
    const cells = Math.hypot(end[0] - start[0], end[1] - start[1]) / CELL;
    const transform = [moved(start), moved(end)];
    await this.#run(running, token, { transform }, { duration: least + 45 * cells, easing: EASE });
    token.style.transform = transform[1];
  }

  // Two tokens run into each other; what was at stake stands over them.
  async #clash(running, token, second, at, met, event, news) {
    const [here, there] = [at, met].map((name) => corner(this.#cell(name)));
    const towards = [(there[0] - here[0]) * 0.28, (there[1] - here[1]) * 0.28];
    const bump = (from, sign) => ({
      transform: [0, 0.5, -0.25, 1, 0].map((far) => moved(from.map((each, axis) => each + sign * far * towards[axis]))),
    });
    const middle = [0, 1].map((axis) => (here[axis] + there[axis]) / 2 + CELL / 2);
    const { points } = event.challenge;
    this.#stake(token, points[event.player - 1]);
    this.#stake(second, points[2 - event.player]);
    const burst = shape("circle", { class: "burst", r: 30 });
    const round = shape("g", { transform: `translate(${middle[0]} ${middle[1]})` });
    round.append(burst);
    running.layer.append(round);
    this.#say(event, news);
    const timing = { duration: 520, easing: "ease-in-out" };
    await Promise.all([
      this.#run(running, token, bump(here, 1), timing),
      this.#run(running, second, bump(there, -1), timing),
      this.#run(running, burst, { transform: ["scale(0)", "scale(0)", "scale(1.6)"], opacity: [0, 0.9, 0] }, timing),
    ]);
    burst.style.opacity = 0;
    this.#points(event.player === 1 ? [at, met] : [met, at], event.scored);
    await this.#run(running, token, { opacity: [1, 1] }, { duration: 260 });
  }

  // What a token goes into a challenge with.
  #stake(token, points) {
    const number = shape("text");
    number.textContent = points;
    token.querySelector("path, text")?.replaceWith(number);
  }

  // The outcome of a challenge, on the board; a live region of the page says it to screen readers.
  #say(event, news) {
    const words = news.join(" ");
    if (!words) return;
    const box = document.createElement("div");
    box.className = `moment ${event.player === 1 ? "one" : "two"}`;
    box.setAttribute("aria-hidden", "true");
    box.textContent = words;
    this.place.append(box);
    const at = this.#cell(event.to).getBoundingClientRect();
    [box.style.left, box.style.top] = clearSpot(this.place, box, [at, ...this.#ways(event)], at);
    this.#moment = box;
    const grows = { opacity: [0, 1], transform: ["scale(.9)", "scale(1)"] };
    if (!isCalm()) box.animate(grows, { duration: 180, easing: EASE });
    setTimeout(() => box.remove(), 2200); // the news say it too; the next move takes its place
  }

  // Where tokens stand, and what they pass on their ways, in the window.
  #ways({ tokens }) {
    const standing = [...this.place.querySelectorAll(".piece")].map((each) => each.getBoundingClientRect());
    const passed = tokens.flatMap(({ from, to }) => {
      const [start, end] = [from, to].map((name) => this.#cell(name).getBoundingClientRect());
      const between = (one, two, far) => one + (two - one) * far;
      return [0, 0.2, 0.4, 0.6, 0.8, 1].map((far) => {
        const [x, y] = [between(start.x, end.x, far), between(start.y, end.y, far)];
        return new DOMRect(x, y, start.width, start.height);
      });
    });
    return [...standing, ...passed];
  }

  // Cells that are claimed or turned up

  async #turn(running, cover, name, index) {
    const cell = this.#cell(name);
    const isDown = cover.querySelector(".back");
    const after = this.#lay(running, name, this.#picture(cell));
    const timing = { duration: 170, delay: 45 * index, fill: "both", easing: isDown ? "ease-in" : EASE };
    if (isDown) {
      // Turned over: the back gets narrow, then the face gets wide.
      running.layer.insertBefore(this.#pit(name), cover);
      after.style.opacity = 0;
      await this.#run(running, cover.firstChild, { transform: [scaled(1), scaled(0, 1)] }, timing);
      after.style.opacity = 1;
      if (index === 0) sound("reveal");
      const unfolds = { transform: [scaled(0, 1), scaled(1)] };
      await this.#run(running, after.firstChild, unfolds, { duration: 220, easing: EASE });
    } else {
      const keyframes = { transform: [scaled(0.2), scaled(1.08), scaled(1)], opacity: [0, 1, 1] };
      await this.#run(running, after.firstChild, keyframes, { ...timing, duration: 340 });
    }
  }

  // What is to be seen where a cell is not.
  #pit(name) {
    const [x, y] = corner(this.#cell(name));
    return shape("rect", { class: "pit", width: CELL, height: CELL, transform: `translate(${x} ${y})` });
  }

  // Points

  #points(cells, scored) {
    (scored ?? []).forEach((points, index) => {
      if (points) this.float(this.#cell(cells[index]), points > 0 ? `+${points}` : `−${-points}`, index + 1);
    });
  }

  async float(cell, text, player) {
    const score = document.querySelector(`[data-score="${player}"], #player-${player} .score`);
    if (!cell || !score || isStill()) return;
    const [from, to] = [cell, score].map((each) => each.getBoundingClientRect());
    const points = document.createElement("span");
    points.className = `points ${player === 1 ? "one" : "two"}`;
    points.setAttribute("aria-hidden", "true");
    points.textContent = text;
    document.body.append(points);
    const place = (box, size) => {
      const middle = moved([box.left + box.width / 2, box.top + box.height / 2]);
      return `${middle} translate(-50%, -50%) scale(${size})`;
    };
    const transform = [place(from, 0.6), place({ ...from.toJSON(), top: from.top - 26 }, 1.25), place(to, 0.8)];
    const flight = points.animate({ transform, opacity: [0, 1, 0.4] }, { duration: 760, easing: "ease-in-out" });
    await flight.finished.catch(() => {});
    points.remove();
  }

  // The layer

  #cell(name) {
    return this.place.querySelector(`[data-cell="${CSS.escape(name ?? "")}"]`);
  }

  // A copy of a cell that nobody can choose, find or read.
  #picture(cell) {
    const copy = shape("g", { class: cell.getAttribute("class") });
    copy.classList.remove(...STATES);
    copy.style.setProperty("--own", getComputedStyle(cell).getPropertyValue("--own"));
    copy.append(...[...cell.children].filter((each) => each.tagName !== "title").map((each) => each.cloneNode(true)));
    return copy;
  }

  #lay(running, name, look) {
    const [x, y] = corner(this.#cell(name));
    const holder = shape("g", { transform: `translate(${x} ${y})` });
    holder.append(look);
    running.layer.append(holder);
    return holder;
  }

  #run(running, element, keyframes, timing) {
    const animation = element.animate(keyframes, timing);
    running.all.push(animation);
    return animation.finished;
  }
}
