// @ts-check
// Look back at a game: step through it, read the engine's story of it, and play on differently.
//
// The positions, the verdicts and the texts come from the server. A position is fetched once.

import { Board, centre, inColours, shape } from "./board.js";
import { showValues, ValuesSwitch } from "./values.js";

const $ = (id) => document.getElementById(id);
const game = JSON.parse($("played").textContent);
const last = game.moves.length;
const cache = new Map();
let at = game.position.at;
let story = game.story;
let tried = []; // moves that were not played in the game, from `at` on, the answers among them
let line = []; // who makes each of them, and the move
let mine = []; // how many had been tried before each of one's own
let loading = false; // whether the board still shows an earlier position
let ahead = []; // the moves of a line that lie ahead
let lineName = ""; // what it is called, while one is shown
let worths = { values: {}, legend: "" }; // what each move is worth where one tries moves
let best = null; // where the best move of what is tried goes
let running = 0; // the timer while the game plays by itself
const OF_A_MISTAKE = ["retry", "better", "follows"]; // buttons

const board = new Board($("board"), (move) => tryMove(move));

function list(place, entries, make) {
  place.replaceChildren(...entries.map((entry) => Object.assign(document.createElement("li"), make(entry))));
}

function write(id, said) {
  const text = inColours(said);
  if ($(id).textContent !== text) $(id).textContent = text;
}

// Stepping

function fetched(number) {
  if (!cache.has(number)) {
    const answer = fetch(`/g/${game.id}/at/${number}`).then((each) => {
      if (!each.ok) throw new Error(`position ${number}: ${each.status}`);
      return each.json();
    });
    answer.catch(() => cache.delete(number));
    cache.set(number, answer);
  }
  return cache.get(number);
}

async function go(number, keepsLine = false) {
  const from = tried.length ? null : at;
  at = Math.max(0, Math.min(last, number));
  [tried, mine] = [[], []];
  if (!keepsLine) [ahead, lineName] = [[], ""];
  showLine();
  loading = true;
  const wanted = at;
  let position;
  try {
    position = await fetched(wanted);
  } catch {
    write("note", "You are offline: this position could not be loaded. Try again.");
    halt();
    return;
  }
  if (at !== wanted || tried.length) return;
  loading = false;
  const forward = from !== null && wanted === from + 1;
  const shown = show(position, forward);
  history.replaceState(null, "", `?at=${at}`);
  describe(position);
  for (const near of [at + 1, at - 1]) {
    if (near < 0 || near > last) continue;
    fetched(near).catch(() => {});
    if (values?.on && story && near < last) fetched(`${near}/values`).catch(() => {});
  }
  await shown;
  if (at !== wanted || tried.length) return;
  arrows();
  await value();
}

// What each move is worth, on its cell, while that is switched on.
async function value() {
  const wanted = [at, tried];
  let shown = { values: {}, legend: "" };
  if (values?.on && tried.length) shown = worths;
  else if (values?.on && !(at === last && !board.place.querySelector(".open"))) {
    try {
      shown = await fetched(`${at}/values`);
    } catch {
      return; // the position is there all the same
    }
  }
  if (wanted[0] !== at || wanted[1] !== tried || loading) return;
  showValues(board.place, shown.values);
  write("legend", shown.legend ?? "");
}

// A line that lies ahead: best play from here, to be stepped through with the arrows.

function showLine() {
  write("line-shown", lineName ? `${lineName}: ${[...tried, "▸", ...ahead].join(" ")}` : "");
}

async function follow() {
  if (loading) return;
  halt();
  const wanted = [at, tried];
  write("line-shown", "Thinking …");
  let answer;
  try {
    const from = new URLSearchParams({ tried: tried.join(" ") });
    answer = await (await fetch(`/g/${game.id}/at/${at}/line?${from}`)).json();
  } catch {
    answer = { error: { message: "You are offline. Try again." } };
  }
  if (wanted[0] !== at || wanted[1] !== tried) return;
  [ahead, lineName] = answer.moves?.length ? [answer.moves, answer.name] : [[], ""];
  showLine();
  if (!ahead.length) write("line-shown", answer.error?.message ?? answer.note);
  mark();
}

// One step on or back, in a line where there is one, otherwise in the game.
async function step(by) {
  if (by > 0 && ahead.length) {
    if (loading) return;
    mine.push(tried.length);
    tried.push(ahead.shift());
    if (!(await showTried(""))) {
      ahead.unshift(tried.at(-1));
      tried.length = mine.pop();
    }
  } else if (by < 0 && lineName && tried.length) {
    if (loading) return;
    const line = [tried.at(-1), ...ahead];
    const left = tried.slice(0, -1);
    ahead = line;
    mine.pop();
    if (!left.length) return go(at, true);
    tried = left;
    await showTried("");
  } else if (!tried.length || by < 0) await go(at + (tried.length ? 0 : by));
}

// Put a position on the board; if it is the next one, its move is seen to happen.
function show({ svg, legal, questions, event }, moving) {
  board.clearArrows();
  return board.show(svg, { yours: legal.length > 0, questions, event: moving ? event : null });
}

function describe(position) {
  $("board").classList.remove("tried");
  $("what-if").hidden = true;
  write("where", position.where);
  write("headline", position.headline);
  write("note", position.note);
  mark();
}

// What belongs to the current step: in the list, in the graph, and the verdict.
function mark() {
  for (const link of document.querySelectorAll("#move-table a")) {
    if (Number(link.dataset.at) !== at) link.removeAttribute("aria-current");
    else {
      link.setAttribute("aria-current", "step");
      const scroll = link.closest(".scroll");
      scroll.scrollTop = link.closest("tr").offsetTop - scroll.clientHeight / 2;
    }
  }
  for (const spot of document.querySelectorAll(".spot")) {
    spot.classList.toggle("here", Number(spot.dataset.at) === at);
  }
  for (const [id, to, possible] of [
    ["first", 0, at > 0],
    ["before", at - 1, at > 0 || tried.length > 0],
    ["after", at + 1, at < last || ahead.length > 0],
    ["last", last, at < last],
  ]) {
    if (possible) {
      $(id).href = `?at=${to}`;
      $(id).removeAttribute("aria-disabled");
      $(id).removeAttribute("role");
    } else {
      $(id).removeAttribute("href");
      $(id).setAttribute("role", "link");
      $(id).setAttribute("aria-disabled", "true");
    }
  }
  const here = new URLSearchParams({ at: String(at), tried: tried.join(" ") });
  if ($("analyse")) $("analyse").href = `/g/${game.id}/analysis?${here}`;
  const comment = story?.moves[at - 1];
  const verdict = $("verdict");
  verdict.hidden = !comment || tried.length > 0;
  const against = Boolean(comment?.arrows.played); // there is something to be said against the move
  verdict.className = `verdict ${comment && (comment.mark || !against) ? comment.grade : ""}`;
  verdict.replaceChildren(...(comment?.mark ? [badge(comment.mark), " "] : []), inColours(comment?.text ?? ""));
  if (comment && at === last && story.resigned) verdict.append(inColours(` ${story.resigned}`));
  for (const id of OF_A_MISTAKE) if ($(id)) $(id).hidden = !against || tried.length > 0;
  if ($("follows") && at === last) $("follows").hidden = true;
}

function badge(text) {
  const made = document.createElement("span");
  made.className = "mark";
  made.setAttribute("aria-hidden", "true");
  made.textContent = text;
  return made;
}

// After a mistake: what was played, and what would have been better.
function arrows() {
  const drawn = story?.moves[at - 1]?.arrows ?? {};
  board.clearArrows();
  for (const [kind, [from, to]] of Object.entries(drawn)) if (from || kind === "best") board.arrow(from, to, kind);
  const cell = board.cell(drawn.played?.[1]);
  if (!cell || !story.moves[at - 1].mark) return;
  // The mark of the move, in the corner of the cell it went to.
  const [x, y] = centre(cell);
  const made = shape("g", { class: `stamp ${story.moves[at - 1].grade}`, transform: `translate(${x + 22} ${y - 22})` });
  made.append(shape("circle", { r: 14 }), shape("text", { y: 1 }));
  made.lastChild.textContent = story.moves[at - 1].mark;
  $("board").querySelector(".arrows").append(made);
}

function halt() {
  clearTimeout(running);
  running = 0;
  $("run").setAttribute("aria-pressed", "false");
}

async function run() {
  const pace = Number(window.gridwise?.get("pace") ?? 600);
  await go(at === last ? 0 : at + 1);
  if (!running) return;
  if (at === last) halt();
  else running = setTimeout(run, 300 + pace);
}

$("run").addEventListener("click", () => {
  if (running) halt();
  else {
    running = setTimeout(run, 0);
    $("run").setAttribute("aria-pressed", "true");
  }
});
document.addEventListener("click", (event) => {
  const link = event.target.closest('.layout a[href^="?at="]');
  const spot = event.target.closest(".spot");
  if (!(link || spot) || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  halt();
  if (link?.id === "after" || link?.id === "before") {
    step(link.id === "after" ? 1 : -1);
    return;
  }
  go(Number(spot ? spot.dataset.at : new URLSearchParams(link.search).get("at")));
  if (!link?.closest(".steps")) $("board").scrollIntoView({ block: "nearest" });
});
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  // On the board the arrow keys move over the cells.
  if ($("board").contains(/** @type {Node} */ (event.target))) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const to = { Home: 0, End: last }[event.key];
  if (event.key === "f" && $("line")) follow();
  if (by === undefined && to === undefined) return;
  event.preventDefault();
  halt();
  if (by) step(by);
  else go(to);
});

// What if

async function tryMove(move) {
  if (loading) return; // such as the second click of two
  halt();
  // The move that was played in the game is just the next step.
  if (!tried.length && move === game.moves[at]) {
    go(at + 1);
    return;
  }
  if (move === ahead[0]) {
    step(1);
    return;
  }
  [ahead, lineName] = [[], ""];
  mine.push(tried.length);
  tried.push(move);
  if (!(await showTried($("reply").value))) tried.length = mine.pop();
}

// Whether it could be shown; if not, the board stays as it was.
async function showTried(reply) {
  loading = true;
  $("what-if").hidden = false;
  for (const id of OF_A_MISTAKE) if ($(id)) $(id).hidden = true;
  showLine();
  list($("options"), [], () => ({}));
  best = null;
  write("because", "");
  write("worth", "Thinking …");
  const asked = tried.join(" ");
  let answer;
  try {
    answer = await (await fetch(`/g/${game.id}/at/${at}?${new URLSearchParams({ tried: asked, reply })}`)).json();
  } catch {
    answer = { error: { message: "You are offline. Try again." } };
  }
  if (asked !== tried.join(" ")) return true; // a newer request has replaced it
  if (answer.error) {
    loading = false;
    write("worth", answer.error.message);
    return false;
  }
  tried = answer.tried;
  const wanted = tried;
  $("board").classList.add("tried");
  $("verdict").hidden = true;
  write("where", "Not played in the game");
  const { steps } = answer;
  line = [...line.slice(0, tried.length - steps.length), ...steps.map(({ who, event }) => [who, event.move])];
  const named = (who) => Object.assign(document.createElement("bdi"), { textContent: inColours(who) });
  const told = line.flatMap(([who, move], index) => [index ? " – " : "", named(who), ` ${move}`]);
  $("tried").replaceChildren(...told);
  for (const step of steps) {
    const isLast = step === steps.at(-1);
    write("headline", step.news);
    await show({ ...step, questions: answer.questions, legal: isLast ? answer.legal : [] }, reply || isLast);
    if (tried !== wanted) return true;
  }
  loading = false;
  write("note", answer.note);
  write("because", answer.why);
  write("worth", answer.worth);
  $("each").hidden = answer.over;
  list($("options"), answer.options, ({ move, worth }) => ({ textContent: `${move}: ${worth}` }));
  best = answer.best;
  worths = answer;
  mark();
  pointOut();
  value();
  return true;
}

// The best move is shown to whoever wants to know what the moves are worth.
function pointOut() {
  board.clearArrows();
  if (tried.length && best && $("each").open) board.arrow(...best, "best");
}
$("each").addEventListener("toggle", pointOut);

$("undo-tried").addEventListener("click", async () => {
  if (loading || !mine.length) return;
  const [all, own] = [tried, mine];
  [tried, mine] = [tried.slice(0, mine.at(-1)), mine.slice(0, -1)];
  [ahead, lineName] = [[], ""];
  if (!tried.length) go(at);
  else if (!(await showTried(""))) [tried, mine] = [all, own];
});
$("to-game").addEventListener("click", () => go(at));
$("retry")?.addEventListener("click", async () => {
  await go(at - 1);
  $("live").textContent = "Choose another move on the board.";
  board.focus();
});

$("better")?.addEventListener("click", async () => {
  await go(at - 1);
  await follow();
});
$("follows")?.addEventListener("click", follow);

// The review may take a while, so it is polled until it is ready.

async function review() {
  let status, answer;
  try {
    const response = await fetch(`/g/${game.id}/review`);
    [status, answer] = [response.status, await response.json()];
  } catch {
    setTimeout(review, 4000);
    return;
  }
  if (status === 429) { // too many questions at the moment, perhaps of others at this address
    write("review-status", answer.error.message);
    setTimeout(review, 4000);
  } else if (answer.error) {
    $("reviewing").textContent = answer.error.message;
  } else if (!answer.ready) {
    $("progress").max = answer.of;
    $("progress").value = answer.done;
    write("review-status", `The engine is reviewing the game: ${answer.done} of ${answer.of} moves.`);
    setTimeout(review, 700);
  } else {
    showStory(answer);
  }
}

function showStory(answer) {
  story = answer;
  $("reviewing").hidden = true;
  $("reviewed").hidden = false;
  $("graph").innerHTML = inColours(story.graph);
  list($("summary"), story.summary, (text) => ({ textContent: inColours(text) }));
  list($("moments"), story.moments, ({ grade }) => ({ className: grade }));
  story.moments.forEach((moment, number) => {
    const [title, said] = [inColours(moment.title), inColours(moment.text)];
    const link = Object.assign(document.createElement("a"), { href: `?at=${moment.at}`, textContent: title });
    const text = Object.assign(document.createElement("span"), { textContent: said });
    $("moments").children[number].append(badge(moment.mark), " ", link, " ", text);
  });
  for (const link of document.querySelectorAll("#move-table a")) {
    const { mark: text, grade } = story.moves[link.dataset.at - 1];
    Object.assign(link.querySelector(".mark"), { textContent: text, className: `mark ${grade}`, title: text && grade });
  }
  if (story.turning) {
    $("turning").href = `?at=${story.turning.at}`;
    write("turning", `Turning point: ${story.turning.label}`);
    $("turning").hidden = false;
  }
  write("live", [...(story.turning ? [`${$("turning").textContent}.`] : []), ...story.summary].join(" "));
  mark();
  begin();
}

// To the move that decided the game if the address asks for it; otherwise what is to be seen where one is.
function begin() {
  const worst = story.turning ?? story.moments[0];
  if (location.hash === "#why" && !worst) $("summary").scrollIntoView({ block: "nearest" });
  if (location.hash === "#why" && worst) go(worst.at);
  else if (!tried.length && !loading) arrows();
}

$("share").addEventListener("click", async () => {
  const url = new URL(`?at=${at}`, location.href).href;
  try {
    if (navigator.share) await navigator.share({ title: document.title, url });
    else {
      await navigator.clipboard.writeText(url);
      $("share").textContent = "Link copied";
      setTimeout(() => ($("share").textContent = "Share this position"), 2000);
    }
  } catch {
    // Whoever closes the dialog has changed their mind.
  }
});

const values = $("values") && new ValuesSwitch($("values"), value);
$("line")?.addEventListener("click", follow);
for (const id of ["run", "share", "help", "line"]) if ($(id)) $(id).hidden = false;
board.set({ yours: game.position.legal.length > 0, questions: game.position.questions });
mark();
value();
if (story) begin();
else if (game.review) {
  $("reviewing").hidden = false;
  review();
}
