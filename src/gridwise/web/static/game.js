// @ts-check
// The game page: shows what the server sends, one event after the other, and sends what the player asks for.
//
// There are no rules in here. Which cells are open, what to ask and what to say comes from the
// server; a move counts when the server confirms it.
//
// What arrives waits in a queue: a move that is not yours is shown when yours has been seen. Whoever
// is not looking, asks for something, or was cut off sees the newest state at once.

import { Board, inColours } from "./board.js";
import { Connection } from "./connection.js";

// The page comes with everything that can be read: what changes it is loaded when the board is ready.
// What nobody needs before the first move is loaded when it is used; offline it may be missing.
let panel = null;
const later = (script, name, ...given) => import(script).then((module) => module[name]?.(...given), () => {});
const sound = (name) => later("./sound.js", "play", name);

const $ = (id) => document.getElementById(id);
const page = $("game");
const READING = 1600; // milliseconds more than usual, for how a challenge went
const LONGEST = 3; // more changes than this do not wait for one another

let state = JSON.parse($("state").textContent);
let newest = state.version; // of what has arrived, shown or not
let offline = false;
let hint = null; // the move to consider, and what is said about it: each press of the button says a step more
let practice = null; // what each move is worth, once somebody wants to know
let confirming = "";
let moving = false; // a token is on its way
let calling = false; // it became your turn, the game ended or goes on, while nobody was looking
let arrived = false; // the next game was made while this page was open

const board = new Board($("board"), (move, cell) => play(move, cell));
const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const connection = new Connection(`${scheme}//${location.host}/api/games/${page.dataset.id}/socket?picture=yes`, {
  received,
  up() {
    offline = false;
    $("offline").hidden = true;
  },
  down(reason) {
    offline = true;
    showOffline(reason);
    render();
  },
});

// Messages from the server

function received(message) {
  if ("clock" in message) panel?.setClock(message.clock); // time runs while a move waits to be shown
  if (message.type === "state") {
    const { type, svg, cells, ...next } = message; // the picture shows the cells
    queue.length = 0;
    settle(next.version);
    if (next.version > state.version) board.show(svg);
    update(next);
    hurry();
  } else if (message.type === "change") {
    // The server sends the whole state if it is not sure that this page has the version before.
    if (message.from !== newest) return;
    settle(message.version);
    queue.push(message);
    showQueue();
  } else if (message.type === "presence") {
    const { players = state.players, spectators = state.spectators } = message;
    Object.assign(state, { players, spectators });
    renderPanel(); // a question on the board stays open
  } else if (message.type === "emote") {
    later("./invite.js", "showEmote", message.player, message.emote).then((said) => {
      if (!state.you.includes(message.player)) announce(`${state.panel.subjects[message.player - 1]}: ${said}`);
    });
  } else if (message.type === "hint") {
    hint = { ...message, at: 0 };
    connection.settle();
    announce(hintText());
    render();
  } else if (message.type === "rematch") {
    connection.settle();
    if (message.id) location.assign(message.url); // otherwise the other side is asked
    else render();
  } else if (message.type === "done") {
    if (message.ref === connection.pending?.ref) connection.settle();
    render();
  } else if (message.type === "refused") {
    if (!message.ref || message.ref === connection.pending?.ref) connection.settle();
    problem(message.message);
    render();
  }
}

// A message is settled by a later version than the one it was sent on.
function settle(version) {
  newest = Math.max(newest, version);
  if (connection.pending && version > connection.pending.version) connection.settle();
}

// The queue

const queue = [];
let busy = false;
let hurried = false;
let release = (_) => {};
let seen = 0; // since when the last move has been on the board, or its outcome has been read

async function showQueue() {
  const isFirst = !busy;
  busy = true;
  if (document.hidden || queue.length > LONGEST) hurry();
  if (!isFirst) return;
  while (queue.length) {
    await hold(queue[0]);
    const message = queue.shift(); // none if the whole state has come meanwhile
    if (message) await showChange(message);
  }
  busy = false;
  hurried = false;
  render();
}

// Wait until the player has seen the move before.
function hold({ event }) {
  if (!event || state.you.includes(event.player)) return null;
  const pace = window.gridwise.get("pace");
  const rest = seen + pace - performance.now();
  if (!pace || hurried || rest <= 0) return null;
  return new Promise((resolve) => setTimeout((release = resolve), rest));
}

function hurry() {
  hurried = busy;
  board.settle();
  release(null);
}

async function showChange(message) {
  const { event, svg_cells, news = state.news } = message;
  if (event) {
    seen = performance.now() + (event.challenge ? READING : 0);
    moving = true;
  }
  const drawn = board.update({ svg_cells, event: hurried ? null : event, news: news.map(inColours) });
  // Words, points and the result come when the move has been seen. A picture that never arrives must
  // not stop the game.
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, 4000))]);
  moving = false;
  if (message.from === state.version) update(changed(message));
  else render(); // the whole state has come meanwhile
}

// The state after a change: the fields that it has, and the list of moves as it says.
function changed({ type, from, svg_cells, cells, event, moves, panel: parts, ...fields }) {
  const next = { ...state, ...fields };
  if (parts) next.panel = { ...state.panel, ...parts, texts: { ...state.panel.texts, ...parts.texts } };
  if (moves) next.moves = [...state.moves.slice(0, moves.keep), ...moves.add];
  return next;
}

function update(next) {
  if (next.version < state.version) return;
  const before = state;
  if (next.moves.length !== before.moves.length) hint = null;
  state = next;
  if (state.version > before.version) {
    if (state.status !== before.status) confirming = "";
    board.cancel(false); // what was asked was about the position before
    problem("");
    announce([...state.news, statusText()].join(" "));
    if (isCalled(before)) call(state.news.join(" ") || state.title);
    if (state.status === "over" && before.status !== "over") ended();
    else if (state.status === "over") goesOn(before);
  }
  render();
}

// Whose turn it is, or how the game ended, and why.
function statusText() {
  return [state.panel.texts.headline, state.why].filter(Boolean).join(" ");
}

// It is your turn, or somebody has taken the free seat.
function isCalled(before) {
  if (state.status !== "playing" || state.you.length !== 1) return false;
  return before.status === "waiting" || (state.turn === state.you[0] && before.turn !== state.turn);
}

// A tone, the window's title, and a notification: each only if that is wanted.
function call(about) {
  if (!document.hidden) return;
  calling = true;
  sound("turn");
  const text = panel?.callText(state.panel, arrived) || statusText();
  later("./invite.js", "notify", inColours(text), inColours(about));
}

function ended() {
  if (document.hidden) call(state.title);
  else if (state.result) sound(["lost", "none"].includes(state.panel.mood) ? "lose" : "win");
  const inBoard = $("board").contains(document.activeElement);
  render();
  // Whoever is on the board with the keyboard goes on in the card.
  if (inBoard) $("over").focus({ preventScroll: true });
}

// After the end: an offer, its answer, or the next game. Whoever had offered a rematch goes there too.
function goesOn({ offers, rematch }) {
  arrived ||= Boolean(state.rematch) && !rematch;
  if (arrived && state.you.includes(offers.rematch)) location.assign(`/g/${state.rematch}`);
  else if (panel?.callText(state.panel, arrived)) {
    if (document.hidden) call(state.since ?? state.title);
    else sound("turn");
  }
}

// Requests to the server

function play(move, cell) {
  if (connection.pending || queue.length) {
    hurry();
    return false;
  }
  problem("");
  connection.send({ type: "move", move, version: newest });
  board.set({ yours: false });
  cell?.classList.add("sending");
  if (offline) showOffline("");
  return true;
}

function request(type) {
  hurry();
  if (connection.pending) {
    problem("Please wait: your last request has not been answered yet.");
    return;
  }
  problem("");
  connection.send({ type, version: newest });
  render();
}

const hintText = () => hint?.steps[hint.at];

function moreHint() {
  hint.at = Math.min(hint.at + 1, hint.steps.length - 1);
  announce(hintText());
  render();
}

// Rendering

function render() {
  renderBoard();
  renderPanel();
  practice?.show(state.version, yours() && state.status === "playing");
}

function renderPanel() {
  // The engine may need a moment.
  const thought = connection.pending?.type === "hint" ? "Thinking …" : hintText();
  panel?.render(state, { confirming, calling, arrived, yours: yours(), hint: thought });
}

function renderBoard() {
  if (moving) return; // it is set when the token has arrived
  const { legal, targets, questions, marks } = state;
  if (!yours()) board.cancel(false); // otherwise a question stays open: nothing has changed
  board.set({ yours: yours(), turn: state.turn, legal, targets, questions });
  board.mark(marks, state.moves.at(-1)?.player);
  for (const cell of $("board").querySelectorAll(".sending")) cell.classList.remove("sending");
  board.highlight(hintText()?.includes(hint.text) ? targetsOf(hint.move) : []);
  if (connection.pending?.move) {
    for (const name of targetsOf(connection.pending.move)) {
      $("board").querySelector(`[data-cell="${CSS.escape(name)}"]`)?.classList.add("sending");
    }
  }
}

const targetsOf = (move) => state.targets.filter((_, index) => state.legal[index] === move);

function yours() {
  return state.panel.mine && !connection.pending && !moving && !queue.length;
}

function announce(text) {
  $("live").textContent = inColours(text);
}

function problem(text) {
  $("problem").textContent = text;
  $("problem").hidden = !text;
}

function showOffline(reason) {
  const move = connection?.pending?.move;
  $("offline").hidden = false;
  const waits = move ? `Your move ${move} will be sent when you are back online.` : "";
  $("offline").textContent = `You are offline. Reconnecting… ${reason} ${waits}`.trim();
}

// Buttons: each is one of a form, for browsers without scripts

for (const form of document.querySelectorAll("form[data-requests]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const type = event.submitter.value;
    if (type === "hint" && connection.pending?.type === "hint") return; // it says that it thinks
    if (type === "hint" && hint) moreHint();
    else if (type in state.panel.confirm) ask(type);
    else request(type);
  });
}

function ask(type) {
  confirming = type;
  render();
  $("sure").focus();
}

$("confirm").addEventListener("submit", (event) => {
  event.preventDefault();
  const type = event.submitter.value;
  const back = confirming;
  confirming = "";
  if (type === "values") return practise();
  if (type !== "keep") return request(type);
  render();
  return $(back).focus();
});
$("confirm").addEventListener("keydown", (event) => event.key === "Escape" && $("keep-playing").click());

$("values").addEventListener("click", () => (practice?.on ? practise() : ask("values")));

async function practise() {
  const said = (text) => Object.assign($("legend"), { textContent: text, hidden: !text });
  practice ??= await later("./practice.js", "practise", board.place, page.dataset.id, said);
  $("values").setAttribute("aria-pressed", String(practice?.toggle() ?? false));
  render();
  $("values").focus({ preventScroll: true });
}

$("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = $("move").value.trim();
  if (move && play(move)) $("move").value = "";
});
$("board").addEventListener("illegal", ({ detail }) => {
  problem(`You cannot move to ${detail}. Choose one of the marked cells.`);
});

const calls = { copy: "copyLink", share: "shareLink", "share-result": "shareResult" };
for (const [id, name] of Object.entries(calls)) {
  $(id).addEventListener("click", () => later("./invite.js", name, { ...state, ending: statusText() }));
}
$("share").hidden = !navigator.share;
$("link").value = location.href.split(/[?#]/)[0];

document.addEventListener("visibilitychange", () => {
  if (document.hidden) hurry();
  else if (calling) {
    calling = false;
    render();
  }
});
document.addEventListener("gridwise:preference", render); // another theme has another name for a colour
const say = (emote) => connection.say({ type: "emote", emote });
$("say").addEventListener("click", () => later("./invite.js", "toggleEmotes", say));
page.style.setProperty("--ratio", String((state.cols + 0.6) / (state.rows + 0.6))); // with the labels
render();
import("./panel.js").then((module) => {
  panel = module;
  panel.setClock(state.clock);
  render();
});
