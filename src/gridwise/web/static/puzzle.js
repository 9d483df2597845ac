// @ts-check
// Puzzles: plays a line against the server's answers, explains it on the board, and counts what was solved.
//
// The server checks every move and sends what happens then as frames: a picture, an event to animate,
// and words. What was solved is kept in this browser, as `gridwise.puzzles`:
//
//     {"book": 2,                                the numbers below are of this version of the books
//      "solved": {"number-run/3": {"17": 1}},    1: on the first try, 0: later
//      "missed": {"number-run/3/17": 1},         a wrong move, a hint or the solution was seen
//      "rating": 1132, "results": 7,             the player's, and how many results have moved it
//      "rated": {"number-run/3/17": [1, 1305]},  those: whether it was solved, and its rating since then
//      "earlier": {"solved": 9, "first": 7},     solved in books of other versions
//      "days": {"2026-11-16": 1},                days whose puzzle was solved on that day (UTC)
//      "latest": {"day": "2026-11-16", "line": "up left", "marks": ["right", "right"]}}   how

import { Board } from "./board.js";

const STORE = "gridwise.puzzles";
const BOOK = 2; // engine.puzzles.BOOK_VERSION
const START = 1100; // engine.puzzles.START_RATING
const DAY = 86_400_000;

// Progress

let unsaved = "{}"; // where the browser stores nothing, it is counted on this page only

function progress() {
  const empty = { solved: {}, missed: {}, days: {}, rating: START, results: 0, rated: {} };
  try {
    return ofThisBook({ ...empty, ...JSON.parse(localStorage.getItem(STORE)) });
  } catch {
    return ofThisBook({ ...empty, ...JSON.parse(unsaved) }); // no storage, or not what was written
  }
}

// Of books of another version only the numbers of what was solved are kept.
function ofThisBook(now) {
  if (now.book === BOOK) return now;
  const { solved, latest, ...rest } = now;
  const results = Object.values(solved).flatMap((numbers) => Object.values(numbers));
  if (results.length) {
    const { solved: before, first } = now.earlier ?? { solved: 0, first: 0 };
    rest.earlier = { solved: before + results.length, first: first + sum(results) };
  }
  return { ...rest, book: BOOK, solved: {}, missed: {}, rated: {} };
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

let change = 0; // of the rating, by the last result on this page

// A result moves the rating of the player and, the other way, of the puzzle: as play/puzzle_progress.py.
function rate(id, puzzle, solved) {
  keep((now) => {
    if (id in now.rated) return;
    const surprise = Number(solved) - 1 / (1 + 10 ** ((puzzle - now.rating) / 400));
    const before = Math.round(now.rating);
    now.rating += Math.max(20, 100 / (1 + now.results / 5)) * surprise;
    change = Math.round(now.rating) - before;
    now.results += 1;
    now.rated[id] = [Number(solved), Math.round(puzzle - 10 * surprise)];
  });
}

// A puzzle of a game near the player's rating that is new to the player.
function near(game) {
  const { rating, rated, solved } = progress();
  const done = Object.keys(rated);
  for (const [level, numbers] of Object.entries(solved)) done.push(...Object.keys(numbers).map((n) => `${level}/${n}`));
  const own = done.filter((id) => id.startsWith(`${game}/`)).map((id) => id.split("/").slice(1).join("."));
  const query = new URLSearchParams({ rating: String(Math.round(rating)), done: [...new Set(own)].join(" ") });
  return `/puzzles/${game}/near?${query}`;
}

function keep(change) {
  const now = progress();
  change(now);
  unsaved = JSON.stringify(now);
  try {
    localStorage.setItem(STORE, unsaved);
  } catch {
    // It holds for this page.
  }
}

const utcDay = (time = Date.now()) => new Date(time).toISOString().slice(0, 10);

function runUntil(days, time) {
  let length = 0;
  while (utcDay(time - length * DAY) in days) length += 1;
  return length;
}

function tally() {
  const { solved, days, earlier, rating } = progress();
  const results = Object.values(solved).flatMap((numbers) => Object.values(numbers));
  // Today's is still open: the streak goes on from yesterday.
  const streak = runUntil(days, utcDay() in days ? Date.now() : Date.now() - DAY);
  const best = Math.max(0, ...Object.keys(days).map((day) => runUntil(days, Date.parse(day))));
  return {
    solved: results.length + (earlier?.solved ?? 0),
    first: sum(results) + (earlier?.first ?? 0),
    rating: Math.round(rating),
    streak,
    best,
  };
}

const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
function showStanding() {
  const [now, { results, days }] = [tally(), progress()];
  for (const place of document.querySelectorAll("[data-standing]")) {
    place.hidden = !(now.solved || results);
    const by = change ? ` (${change > 0 ? "+" : "−"}${Math.abs(change)})` : "";
    const streak = now.streak ? ` Streak: ${counted(now.streak, "day")}.` : "";
    const solved = `${counted(now.solved, "puzzle")} solved, ${now.first} on the first try.`;
    place.textContent = `${solved}${streak} Rating: ${now.rating}${by}.`;
  }
  for (const place of document.querySelectorAll("[data-tally]")) {
    place.hidden = !(now.solved || results);
    for (const each of place.querySelectorAll("[data-of]")) each.textContent = now[each.dataset.of];
  }
  for (const link of document.querySelectorAll("[data-near]")) link.href = near(link.dataset.near);
  for (const link of document.querySelectorAll("[data-archive]")) {
    link.classList.toggle("done", link.dataset.archive in days);
  }
  const { solved } = progress();
  for (const link of document.querySelectorAll("[data-level]")) {
    const [done, count] = [solved[link.dataset.level] ?? {}, Number(link.dataset.count)];
    const number = Object.keys(done).length;
    link.querySelector("small").textContent = number ? `${number} of ${count}` : "";
    link.href = `/puzzles/${link.dataset.level}/${unsolved(done, count, 0)}`;
  }
}

// The next one that is not solved, after a number; if all are, the next.
function unsolved(done, count, number) {
  const later = Array.from({ length: count }, (_, step) => 1 + ((number + step) % count));
  return later.find((each) => !(each in done)) ?? later[0];
}

// How long it is until there is another puzzle of the day.
function untilTomorrow() {
  const minutes = Math.ceil((DAY - (Date.now() % DAY)) / 60_000);
  return minutes < 90 ? counted(minutes, "minute") : counted(Math.round(minutes / 60), "hour");
}

// One puzzle

function made(kind, content, more = {}) {
  const element = Object.assign(document.createElement(kind), more);
  element.append(content);
  return element;
}

const still = () => !window.gridwise.get("pace") || matchMedia("(prefers-reduced-motion: reduce)").matches;
const rest = (times) => (still() ? 0 : times * window.gridwise.get("pace"));
const pause = (times = 1) => new Promise((resume) => setTimeout(resume, rest(times)));

class Puzzle {
  #busy = false;
  #marks = []; // of the moves found so far
  #helped = false; // at this step
  #hints = 0;
  #solution = null;
  #at = 0;
  #shown = 0; // counts what is played on the board; a new one ends the one before

  constructor(root) {
    this.root = root;
    const { puzzle: address, line, day } = root.dataset;
    const [, , game, difficulty, number] = address.split("/");
    this.level = `${game}/${difficulty}`;
    this.number = number;
    this.line = line;
    this.#marks = line.split(" ").filter(Boolean).map(() => this.#missed ? "helped" : "right");
    this.board = new Board(this.$(".board"), (move) => this.#try(move));
    this.board.set({ yours: root.dataset.state === "open", questions: JSON.parse(this.$(".questions").textContent) });
    this.$(".board").addEventListener("illegal", (event) => {
      this.#say(`${event.detail} is not a legal move.`, "illegal");
    });
    this.#on(".hint", () => this.#hint());
    this.#on(".give-up", () => this.#explain(true));
    this.#on(".explain", () => this.#explain(false));
    this.#on(".steps .back", () => this.#go(this.#at - 1));
    this.#on(".steps .forward", () => this.#go(this.#at + 1));
    this.#on(".share", () => this.#share());
    this.#on(".choose button", () => this.#try(this.$(".choose select").value));
    this.$(".solution").addEventListener("click", (event) => {
      const row = event.target.closest("li");
      if (!row || !this.#solution) return;
      event.preventDefault();
      this.#go([...row.parentNode.children].indexOf(row) + 1);
    });
    const [{ days, solved }, again] = [progress(), location.search.includes("again")];
    if (root.dataset.state === "shown") this.#explain(true);
    else if (root.dataset.state === "solved") this.#finish(false);
    else if (!line && !again && day === utcDay() && day in days) this.#restore(day);
    else if (!line && this.number in (solved[this.level] ?? {})) {
      this.#switch([], [".next"]);
      this.#say("You have solved it already. Here it is again.");
    }
  }

  $(selector) {
    return this.root.querySelector(selector);
  }

  #on(selector, act) {
    this.$(selector)?.addEventListener("click", (event) => {
      event.preventDefault();
      if (event.currentTarget.getAttribute("aria-disabled") !== "true") act();
    });
  }

  get #missed() {
    return `${this.level}/${this.number}` in progress().missed;
  }

  #miss() {
    this.#helped = true;
    keep((now) => (now.missed[`${this.level}/${this.number}`] = 1));
    this.#rate(false);
  }

  // Only the first result of a puzzle counts; the change is shown once it is over.
  #rate(solved) {
    rate(`${this.level}/${this.number}`, Number(this.root.dataset.rating), solved);
    showStanding();
  }

  #sides(sides) {
    sides.forEach(({ score, objective }, index) => {
      const place = this.$(`[data-score="${index + 1}"]`);
      [place.textContent, place.closest("li").querySelector("small").textContent] = [score, objective];
    });
  }

  #say(text, verdict = "") {
    Object.assign(this.$(".verdict"), { className: `verdict ${verdict}`, textContent: text });
  }

  // Ask the server, one thing at a time.
  async #ask(what, query, use) {
    if (this.#busy) return;
    this.#busy = true;
    let [data, problem] = [null, ""];
    try {
      const answer = await fetch(`${this.root.dataset.puzzle}/${what}?${new URLSearchParams(query)}`);
      data = await answer.json();
      if (!answer.ok) problem = data.error?.message ?? "That did not work. Try again.";
    } catch {
      problem = "You are offline. Try again.";
    }
    this.$(".problem").textContent = problem;
    if (!problem) await use(data);
    this.#busy = false;
  }

  #try(move) {
    if (this.root.dataset.state !== "open") return;
    this.#ask("move", { line: this.line, move }, (outcome) => this.#answer(outcome));
  }

  async #answer(outcome) {
    const focused = this.$(".board").contains(document.activeElement);
    if (outcome.verdict === "right") {
      this.#marks.push(this.#helped ? "helped" : "right");
      await this.#play(outcome.frames);
      this.line = outcome.line;
      [this.#helped, this.#hints] = [false, 0];
      this.$(".hint").textContent = "Hint";
      // On its own page a reload goes on from here.
      const query = `?${new URLSearchParams({ line: this.line })}`;
      if (location.pathname === this.root.dataset.page) history.replaceState(null, "", query);
    } else if (outcome.verdict === "wrong") {
      this.#miss();
      this.#say(outcome.text, "wrong");
      if (!still()) await this.#play(outcome.frames, 1.6);
    }
    if (!outcome.frames.length || outcome.verdict === "wrong" || outcome.solved) this.board.show(outcome.svg);
    this.board.clearArrows();
    this.#sides(outcome.sides);
    this.board.set({ yours: !outcome.solved, questions: outcome.questions });
    if (outcome.verdict === "wrong" && still()) this.#point(outcome.frames[0]?.event, "played");
    if (outcome.solved) this.#solved(outcome.text, focused);
    else this.#say(outcome.text, outcome.verdict);
    if (focused && !outcome.solved) this.board.focus();
    this.$(".choose select")?.replaceChildren(...outcome.moves.map(([move, label]) => new Option(label, move)));
  }

  // Show moves one after the other; what happens is added to the list of moves, unless it is wrong.
  async #play(frames, wait = 1) {
    const mine = (this.#shown += 1);
    for (const [index, { svg, event, news, sides }] of frames.entries()) {
      if (index) await pause();
      if (mine !== this.#shown) return;
      await this.board.show(svg, { event, news: [news] });
      this.#sides(sides);
      const log = this.$(".log");
      if (wait === 1) log.append(made("li", news));
      [log.hidden, log.scrollTop] = [!log.children.length, log.scrollHeight];
    }
    if (wait > 1) await pause(wait);
  }

  #point(event, kind) {
    if (!event) return;
    const token = event.tokens.find((each) => each.player === event.player);
    this.board.arrow(token?.from ?? null, event.to, kind);
  }

  #hint() {
    this.#ask("move", { line: this.line, hints: this.#hints + 1 }, ({ text }) => {
      this.#hints += 1;
      this.$(".hint").textContent = "Another hint";
      this.#miss();
      this.#say(text, "hint");
    });
  }

  // The end

  #solved(text, focused) {
    const [first, { day }] = [!this.#missed, this.root.dataset];
    keep((now) => {
      (now.solved[this.level] ??= {})[this.number] ??= Number(first);
      if (day !== utcDay()) return;
      now.days[day] ??= Number(first);
      now.latest = { day, line: this.line, marks: this.#marks };
    });
    if (first) this.#rate(true);
    this.#say(`${first ? "Solved on the first try!" : "Solved!"} ${text}`, "right solved");
    import("./sound.js").then(({ play }) => play("win")).catch(() => {}); // offline it is silent
    this.#finish(focused);
  }

  // Today's, which was solved on an earlier visit.
  #restore(day) {
    const { days, latest } = progress();
    this.#say(days[day] ? "Solved on the first try!" : "Solved!", "right solved");
    this.board.set({ yours: false });
    this.#finish(false);
    if (latest?.day !== day) return;
    this.#marks = latest.marks;
    this.#ask("move", { line: latest.line }, ({ svg, sides }) => {
      this.board.show(svg);
      this.#sides(sides);
    });
  }

  #finish(focused) {
    this.root.dataset.state = "solved";
    if (this.root.dataset.day === utcDay()) {
      this.$(".verdict").append(` The next one comes in ${untilTomorrow()}.`);
      const href = `${this.root.dataset.page}?again=yes`;
      const textContent = "Solve it again";
      Object.assign(this.$(".again"), { hidden: false, href, textContent, className: "button again quiet" });
    }
    this.#switch([".hint", ".give-up", ".choose"], [".next", ".share", ".explain"]);
    showStanding();
    if (focused) this.$(".next").focus();
  }

  #switch(off, on) {
    for (const each of off) this.$(each)?.setAttribute("hidden", "");
    for (const each of on) this.$(each).hidden = false;
    Object.assign(this.$(".next"), { href: near(this.level.split("/")[0]), className: "button next main" });
  }

  async #share() {
    this.$(".shared").id = "shared";
    const { sharePuzzle } = await import("./invite.js");
    const how = { number: this.number, marks: this.#marks, missed: this.#missed, streak: tally().streak };
    sharePuzzle({ ...this.root.dataset, ...how }, "shared");
  }

  // The solution on the board, move by move

  async #explain(givenUp) {
    await this.#ask("solution", {}, (solution) => (this.#solution = solution));
    if (!this.#solution) return;
    if (givenUp) this.#miss();
    if (givenUp) this.root.dataset.state = "shown";
    this.#switch([".hint", ".give-up", ".choose", ".log"], [".next", ".steps", ".solution", ".again"]);
    this.$(".explain").hidden = !givenUp; // whoever has only seen the moves may want the reasons
    const href = (index) => `${this.root.dataset.page}?answer=${index + 1}`;
    const rows = this.#solution.frames.map(({ news }, index) => made("a", news, { href: href(index) }));
    this.$(".solution").replaceChildren(...rows.map((row) => made("li", row)));
    this.board.set({ yours: false });
    await this.#go(still() && !givenUp ? 1 : 0);
    await pause();
    // Play it once, unless somebody steps through it already.
    const mine = this.#shown;
    for (let number = 1; number <= rows.length && !still(); number += 1) {
      if (this.#shown !== mine + number - 1) return;
      await this.#go(number);
      await pause(2);
    }
  }

  async #go(number) {
    const { frames, svg, sides, text } = this.#solution;
    if (number < 0 || number > frames.length) return;
    this.#shown += 1;
    const [forward, frame] = [number === this.#at + 1, frames[number - 1]];
    this.#at = number;
    const rows = [...this.$(".solution").children];
    rows.forEach((row, index) => {
      if (index + 1 === number) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    });
    rows[number - 1]?.scrollIntoView({ block: "nearest" });
    this.$(".steps .back").setAttribute("aria-disabled", String(number === 0));
    this.$(".steps .forward").setAttribute("aria-disabled", String(number === frames.length));
    const end = number === frames.length ? ` ${text}` : "";
    this.#say(frame ? `${frame.why}${end}` : "Here is the solution, move by move.", "shown");
    this.board.clearArrows();
    await this.board.show(frame?.svg ?? svg, forward ? { event: frame.event, news: [frame.news] } : {});
    if (this.#at !== number) return;
    this.#sides(frame?.sides ?? sides);
    this.#point(frame?.event, "best");
  }
}

for (const root of document.querySelectorAll("[data-puzzle]")) new Puzzle(root);
showStanding();
addEventListener("storage", (event) => event.key === STORE && showStanding());
document.addEventListener("gridwise:preference", showStanding);
