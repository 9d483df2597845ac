// @ts-check
// The analysis board: moves of both sides, steps, values, best play, and an editor. There are no rules
// in here: the address says what is on the board, and the server what can be done with it.

import { Board, inColours } from "./board.js";
import { showValues, ValuesSwitch } from "./values.js";

const $ = (id) => /** @type {any} */ (document.getElementById(id));
const place = $("board");
const address = new URL(location.href);
let state = JSON.parse($("shown").textContent); // the position on show
let editing = false;
let asked = 0; // counts what has been asked for: only the last answer is shown

const board = new Board(place, (move) => go(state.at + 1, [...state.moves.slice(0, state.at), move]));

function write(id, said) {
  const text = inColours(said);
  if ($(id).textContent !== text) $(id).textContent = text;
}

// The parts of the address, with some of them changed.
function query(changes = {}) {
  const parts = new URLSearchParams(new URL(state.link, location.href).search);
  for (const [name, value] of Object.entries({ moves: state.moves.join(" "), at: state.at, ...changes })) {
    parts.set(name, String(value));
  }
  return parts;
}

async function fetched(what, parts) {
  try {
    return await (await fetch(`${address.pathname}/${what}?${parts}`)).json();
  } catch {
    return { error: { message: "You are offline. Try again." } };
  }
}

async function change(changes, moving = false) {
  asked += 1;
  const mine = asked;
  write("problem", "");
  const answer = await fetched("position", query({ ...changes, ...(editing ? { edit: "yes" } : {}) }));
  if (mine !== asked) return;
  if (answer.error) {
    write("problem", answer.error.message);
    return;
  }
  const lost = changes.moves !== undefined && !answer.moves.join(" ").startsWith(changes.moves);
  if (lost && moving) {
    await refused(changes);
    return;
  }
  state = answer;
  history.replaceState(null, "", state.link);
  $("paste").action = state.link;
  await show(moving);
  if (mine === asked) await value();
}

// A move that the server did not make: it says why.
async function refused(changes) {
  const answer = await fetched("worth", query(changes));
  write("problem", answer.error?.message ?? "That move cannot be made.");
}

function go(at, moves = state.moves) {
  return change({ at, moves: moves.join(" ") }, at === state.at + 1);
}

async function show(moving) {
  write("where", state.news);
  write("headline", state.headline);
  write("note", state.note);
  write("legend", "");
  const made = state.moves.map((move, number) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "quiet", textContent: move });
    button.addEventListener("click", () => go(number + 1));
    if (number + 1 === state.at) item.setAttribute("aria-current", "step");
    item.append(button);
    return item;
  });
  $("moves").replaceChildren(...made);
  for (const [id, possible] of [
    ["first", state.at > 0],
    ["before", state.at > 0],
    ["undo", state.at > 0],
    ["after", state.at < state.moves.length],
    ["last", state.at < state.moves.length],
    ["line", !state.over],
  ]) $(id).disabled = !possible;
  place.classList.toggle("editing", editing);
  for (const id of ["rows", "cols"]) {
    if (editing && $(id) !== document.activeElement) $(id).value = state[id]; // not what is being typed
  }
  const yours = editing || state.legal.length > 0;
  await board.show(state.svg, { yours, questions: state.questions, event: moving && !editing ? state.event : null });
}

async function value() {
  showValues(place);
  write("because", "");
  $("worth").hidden = true;
  if (state.over || editing || !values.on) return;
  const mine = asked;
  const waiting = setTimeout(() => write("legend", "Thinking …"), 400);
  const answer = await fetched("worth", query());
  clearTimeout(waiting);
  if (mine !== asked) return;
  write("legend", "");
  if (answer.error) {
    write("problem", answer.error.message);
    return;
  }
  showValues(place, answer.values);
  write("legend", answer.legend);
  write("worth", answer.worth);
  $("worth").hidden = !answer.worth;
  if (!state.at) return;
  const { why } = await fetched("why", query());
  if (mine === asked && values.on) write("because", why ?? "");
}

async function follow() {
  if (state.over) return;
  const mine = asked;
  const answer = await fetched("line", query());
  if (mine !== asked) return;
  if (!answer.moves?.length) {
    write("problem", answer.error?.message ?? answer.note);
    return;
  }
  await go(state.at, [...state.moves.slice(0, state.at), ...answer.moves]);
}

const undo = () => go(state.at - 1, state.moves.slice(0, state.at - 1));
const ways = {
  first: () => go(0),
  before: () => go(state.at - 1),
  after: () => go(state.at + 1),
  last: () => go(state.moves.length),
  line: follow,
  undo,
};
for (const [id, way] of Object.entries(ways)) $(id).addEventListener("click", way);
const KEYS = {
  ArrowLeft: "before", ArrowRight: "after", ",": "before", ".": "after", Home: "first", End: "last",
  f: "line", u: "undo",
};
addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.altKey || event.ctrlKey || event.metaKey || target.matches("input, select, textarea")) return;
  // On the board the arrow keys move over the cells.
  if (place.contains(target) && event.key.length > 1) return;
  const id = KEYS[event.key];
  if (!id || $(id).disabled) return;
  event.preventDefault();
  ways[id]();
});

// The editor: what is chosen is put into the cells that are chosen.

$("edit").addEventListener("click", () => {
  editing = !editing;
  $("edit").setAttribute("aria-pressed", String(editing));
  $("edit").textContent = editing ? "Done" : "Edit the board";
  $("editor").hidden = !editing;
  change({});
});
place.addEventListener("illegal", ({ detail }) => {
  if (!editing) return;
  const { row, col } = board.cell(detail).dataset;
  const rows = state.board.split("/").map((each) => [...each]);
  rows[row][col] = /** @type {any} */ (document.querySelector("[name=brush]:checked")).value;
  change({ board: rows.map((each) => each.join("")).join("/") });
});
for (const id of ["rows", "cols"]) {
  $(id).addEventListener("change", () => change({ rows: $("rows").value, cols: $("cols").value }));
}
for (const id of ["target", "handicap"]) $(id)?.addEventListener("change", () => change({ [id]: $(id).value }));
$("begins")?.addEventListener("change", () => change({ first: $("begins").value, moves: "", at: 0 }));

$("share").addEventListener("click", async () => {
  const url = new URL(state.link, location.href).href;
  try {
    await navigator.clipboard.writeText(url);
    write("share", "Link copied");
    setTimeout(() => write("share", "Copy link"), 2000);
  } catch {
    prompt("The link to this position:", url);
  }
});

for (const each of $("begins")?.options ?? []) each.textContent = inColours(each.textContent);
const values = new ValuesSwitch($("values"), value, true);
state.svg = "";
board.set({ yours: state.legal.length > 0, questions: state.questions });
change({});
