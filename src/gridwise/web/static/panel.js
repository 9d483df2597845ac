// @ts-check
// The panel of a game: the players with clock, score and bar, the moves, the buttons, the end card.
//
// What is shown to whom, and in which words, comes from the server (game/viewer.py) as `state.panel`.

import { inColours } from "./board.js";

/** @type {(id: string) => any} */
const $ = (id) => document.getElementById(id);
const BEYOND = 3; // segments of a bar after the target, where one must not go

// Show a state. `page` is what only this window knows: what is being asked, thought about or moved.
export function render(state, page) {
  const { panel, status } = state;
  renderPlayers(state);
  renderMoves(state);
  renderParts(panel, page);
  $("why").textContent = inColours(state.why ?? "");
  if (status === "over") fillCard(state);
  $("game").dataset.status = status;
  $("game").dataset.turn = page.yours ? "yours" : "";
  $("news").textContent = inColours(page.hint || newsText(state, page.yours));
  if (state.legal.length) $("example").textContent = state.legal[0];
  const title = callText(panel, page.arrived) || panel.texts.headline.replace(/\.$/, "");
  document.title = `${page.calling ? "● " : ""}${inColours(title)} · ${state.title}`;
}

function newsText(state, yours) {
  if (state.status === "over" && state.why) return state.since ?? state.why;
  return state.news.join(" ") || (yours ? "Choose one of the marked cells." : "");
}

// What the other player waits for after the end; `arrived`: the next game was made while this page was open.
export function callText(panel, arrived) {
  return panel.call || (arrived ? panel.next_call : "");
}

// The parts that this viewer may see, but for those that this window has folded away, and their words.
function renderParts({ shown, texts, confirm, mine, agree }, { confirming }) {
  const local = { confirm: Boolean(confirming), resign: !confirming, stop: !confirming };
  for (const [id, said] of Object.entries({ ...texts, ...confirm[confirming] })) {
    const text = inColours(said);
    if ($(id).textContent !== text) $(id).textContent = text;
  }
  for (const part of document.querySelectorAll("[data-part]")) {
    show(part, shown.includes(part.id) && (local[part.id] ?? true));
  }
  if (!shown.includes("say")) show($("emotes"), false);
  $("hint").disabled = !mine;
  if (confirming) $("sure").value = confirming;
  if (agree) $("agree").value = agree;
}

function show(element, visible) {
  if (element.hidden === !visible) return;
  // When the focused button disappears, the focus must not go to the top of the page.
  if (!visible && element.contains(document.activeElement)) ($("over").hidden ? $("headline") : $("over")).focus();
  element.hidden = !visible;
}

// The players

function renderPlayers(state) {
  const { about, scores } = state.panel;
  for (const player of state.players) {
    const index = player.seat - 1;
    const card = $(`player-${player.seat}`);
    const part = (name) => card.querySelector(`.${name}`);
    part("about").textContent = about[index] ?? (player.present ? "online" : "offline");
    card.classList.toggle("away", about[index] === null && !player.present);
    card.classList.toggle("due", state.turn === player.seat);
    card.classList.toggle("winner", state.result === `p${player.seat}`);
    changeNumber(part("score"), scores ? scores[index] : "");
    fillBar(part("bar"), state.objectives[index]);
  }
  $("watching").textContent = state.spectators ? `${state.spectators} watching` : "";
  renderMatch(state);
}

// A number that has changed is noticed: the style sheet lets it jump.
function changeNumber(place, number) {
  const text = String(number);
  if (place.textContent === text) return;
  const had = place.textContent !== "";
  place.textContent = text;
  place.classList.remove("changed");
  if (had) requestAnimationFrame(() => place.classList.add("changed"));
}

// One segment for each point up to the target, the last one marked; red where more is too much.
function fillBar(bar, { have, need, exact }) {
  bar.hidden = !need;
  if (!need) return;
  const points = Math.ceil(need / 30); // of a segment: a high target does not get hundreds of them
  const count = Math.ceil(need / points);
  const all = count + (exact ? BEYOND : 0);
  while (bar.children.length > all) bar.lastElementChild.remove();
  while (bar.children.length < all) bar.append(document.createElement("i"));
  [...bar.children].forEach((segment, index) => {
    segment.classList.toggle("on", have >= Math.min((index + 1) * points, index < count ? need : Infinity));
    segment.classList.toggle("target", index === count - 1);
    segment.classList.toggle("over", index >= count);
  });
}

// The match: a point for each game won, on the cards; in words where the game is over.

function renderMatch({ series, players }) {
  if (!series) return;
  const needed = Math.ceil((series.best_of + 1) / 2);
  for (const player of players) {
    const won = series.wins[player.seat - 1];
    const spoken = element("span", "visually-hidden", `${won} won `);
    const points = Array.from({ length: needed }, (_, index) => element("i", index < won ? "on" : ""));
    $(`player-${player.seat}`).querySelector(".wins").replaceChildren(...points, spoken);
  }
}

function element(name, className, text = "") {
  return Object.assign(document.createElement(name), { className, textContent: text });
}

// The clock runs here between two messages; the server's word counts.

let clock = null;
let since = 0;

export function setClock(next) {
  clock = next;
  since = performance.now();
  tick();
}

function tick() {
  for (const seat of [1, 2]) {
    const place = $(`player-${seat}`).querySelector(".clock");
    place.hidden = !clock;
    if (!clock) continue;
    const passed = clock.running === seat ? (performance.now() - since) / 1000 : 0;
    const left = Math.max(0, clock.left[seat - 1] - passed);
    const seconds = Math.floor(left % 60);
    const text = left < 10 ? left.toFixed(1) : `${Math.floor(left / 60)}:${String(seconds).padStart(2, "0")}`;
    const first = clock.first_move?.player === seat ? clock.first_move.left - (performance.now() - since) / 1000 : 60;
    const shown = first < 30 ? `move in ${Math.max(0, Math.floor(first))} s` : text; // or lose
    if (place.textContent !== shown) place.textContent = shown;
    place.classList.toggle("low", Math.min(left, first) < 20);
    place.classList.toggle("running", clock.running === seat);
  }
}
setInterval(() => (clock?.running || clock?.first_move) && tick(), 100);

// The moves

let listed = null; // the moves on show: a long game has hundreds
const list = $("moves").closest(".scroll");
const toLatest = () => (list.scrollTop = list.scrollHeight);
new ResizeObserver(toLatest).observe(list); // the card at the end leaves it less room

function renderMoves(state) {
  if (state.moves === listed) return;
  listed = state.moves;
  // In row 3 the third of each; who has passed has fewer.
  const columns = [state.first, 3 - state.first].map((seat) => state.moves.filter(({ player }) => player === seat));
  const rows = Array.from({ length: Math.max(...columns.map((moves) => moves.length)) }, (_, index) => {
    const row = document.createElement("tr");
    row.append(Object.assign(element("th", "n", String(index + 1)), { scope: "row" }));
    for (const move of columns.map((moves) => moves[index])) {
      const latest = move && move === state.moves.at(-1) ? "latest" : "";
      const cell = document.createElement("td");
      cell.append(element("span", latest, move ? move.move + (move.hinted ? " (hint)" : "") : ""));
      row.append(cell);
    }
    return row;
  });
  $("moves").replaceChildren(...rows);
  $("move-heads").hidden = rows.length === 0;
  toLatest();
  $("no-moves").hidden = rows.length > 0;
}

// The end card

function fillCard(state) {
  $("over").dataset.result = state.panel.mood;
  $("over-title").textContent = inColours(state.panel.texts.headline);
  const winners = { p1: ["one"], p2: ["two"], draw: ["one", "two"] }[state.result] ?? [];
  if ($("faces").children.length !== winners.length) {
    $("faces").replaceChildren(...winners.map((side) => element("span", `face ${side}`)));
  }
  if (state.rematch) $("to-rematch").href = `/g/${state.rematch}`;
  $("see-why").search = ""; // the script of that page asks for the comments itself
}
