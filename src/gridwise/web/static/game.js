// The game page: shows each state the server sends, and sends what the player wants.
//
// No rule is known here. Which cells can be chosen, what is asked and what is said comes from the
// server; a move counts when the server says so.

import { Board } from "./board.js";
import { Line } from "./line.js";

const $ = (id) => document.getElementById(id);
const page = $("game");
let state = JSON.parse($("state").textContent);
let offline = false;
let hint = null; // the move to consider, and what was said of it
let confirming = "";

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const board = new Board($("board"), (move, cell) => play(move, cell));
const line = new Line(`${scheme}//${location.host}/api/games/${page.dataset.id}/socket`, {
  heard,
  up() {
    offline = false;
    $("offline").hidden = true;
  },
  down(reason) {
    offline = true;
    tellOffline(reason);
    render();
  },
});

// What comes in

function heard(message) {
  if (message.type === "state") {
    const { type, ...next } = message;
    arrived(next);
  } else if (message.type === "presence") {
    Object.assign(state, message.players ? { players: message.players } : {});
    if ("spectators" in message) state.spectators = message.spectators;
    renderPlayers();
  } else if (message.type === "hint") {
    hint = message;
    line.settle();
    announce(hint.text);
    render();
  } else if (message.type === "rematch") {
    line.settle();
    location.assign(message.url);
  } else if (message.type === "done") {
    if (message.ref === line.pending?.ref) line.settle();
    renderBoard();
  } else if (message.type === "refused") {
    if (!message.ref || message.ref === line.pending?.ref) line.settle();
    if (message.state) arrived(message.state);
    trouble(message.message);
    render();
  }
}

function arrived(next) {
  if (next.version < state.version) return;
  const news = next.version > state.version;
  if (next.moves.length !== state.moves.length) hint = null;
  // A message is settled by a later version than the one it was sent on.
  if (line.pending && next.version > line.pending.version) line.settle();
  state = next;
  if (news) {
    confirming = "";
    trouble("");
    announce(state.said.join(" "));
  }
  render();
}

// What goes out

function play(move, cell) {
  if (line.pending) return;
  trouble("");
  line.send({ type: "move", move, version: state.version });
  board.set({ yours: false });
  cell?.classList.add("sending");
  if (offline) tellOffline("");
}

function wish(type) {
  if (line.pending) {
    trouble("One thing at a time: the last one has not been answered yet.");
    return;
  }
  trouble("");
  line.send({ type, version: state.version });
  render();
}

// What is seen

function render() {
  renderBoard();
  renderPlayers();
  renderMoves();
  renderActions();
  const headline = headlined();
  $("headline").textContent = headline;
  // The engine may have to look for a while.
  $("told").textContent = line.pending?.type === "hint" ? "Thinking …" : (hint?.text ?? told());
  document.title = `${headline.replace(/\.$/, "")} · ${state.title}`;
}

function renderBoard() {
  board.show(state.svg ?? $("board").innerHTML, { yours: yours(), questions: state.question });
  if (hint) mark(hint.move, "hinted");
  if (line.pending) mark(line.pending.move, "sending");
}

function yours() {
  return state.status === "playing" && state.you.includes(state.turn) && !line.pending;
}

function mark(move, how) {
  for (const cell of $("board").querySelectorAll("[data-moves]")) {
    if (cell.dataset.moves.split(" ").includes(move)) cell.classList.add(how);
  }
}

function called(seat) {
  const player = state.players[seat - 1];
  if (state.you.length === 1 && state.you[0] === seat) return "You";
  return player.name || (player.kind === "bot" ? `Bot (${player.level})` : `Player ${seat}`);
}

function headlined() {
  if (state.status === "over") {
    if (state.result === "draw") return "A draw.";
    if (!state.result) return "The game was stopped.";
    const winner = state.result === "p1" ? 1 : 2;
    const who = called(winner);
    return who === "You" ? "You win!" : `${who} ${state.you.length === 1 ? "wins" : "wins!"}`;
  }
  if (state.status === "waiting") return state.you.length ? "Waiting for an opponent." : "A seat is free.";
  if (state.you.length === 2) return `Player ${state.turn}'s turn.`;
  if (state.you.includes(state.turn)) return "Your turn.";
  const player = state.players[state.turn - 1];
  return player.kind === "bot" ? `${called(state.turn)} is thinking.` : `${called(state.turn)} to move.`;
}

function told() {
  if (state.status === "over" && state.reason) {
    return `${state.reason[0].toUpperCase()}${state.reason.slice(1)}.`;
  }
  // Whose turn it is stands above already, and so does who is waited for.
  const above = (each) => each.endsWith(" is to move.") || each.startsWith("Waiting for ");
  return state.said.filter((each) => !above(each)).join(" ");
}

function renderPlayers() {
  for (const player of state.players) {
    const card = $(`player-${player.seat}`);
    const mine = state.you.includes(player.seat);
    card.querySelector(".name").textContent = player.name || { bot: "Bot", open: "Free seat" }[player.kind] || `Player ${player.seat}`;
    const about = [];
    if (mine) about.push(state.you.length === 2 ? "here" : "you");
    if (player.kind === "bot") about.push(player.level);
    if (player.kind === "human" && !mine) about.push(player.present ? "here" : "away");
    card.querySelector(".about").textContent = about.join(", ");
    card.querySelector(".score").textContent = state.scores ? state.scores[player.seat - 1] : "";
    card.classList.toggle("due", state.turn === player.seat && state.status === "playing");
  }
  const watching = state.spectators;
  $("watching").textContent = watching ? `${watching} watching` : "";
}

function renderMoves() {
  const items = [];
  for (let from = 0; from < state.moves.length; ) {
    const item = document.createElement("li");
    const number = document.createElement("span");
    number.className = "n";
    number.textContent = `${items.length + 1}.`;
    item.append(number);
    // One line holds a move of each; after a pass a side of it stays empty.
    for (const seat of [state.first, 3 - state.first]) {
      const cell = document.createElement("span");
      const move = state.moves[from];
      if (move?.player === seat) {
        cell.textContent = move.move + (move.hinted ? " (hint)" : "");
        from += 1;
      }
      item.append(cell);
    }
    items.push(item);
  }
  $("moves").replaceChildren(...items);
  $("moves").parentElement.scrollTop = $("moves").parentElement.scrollHeight;
  $("no-moves").hidden = items.length > 0;
}

function renderActions() {
  const seated = state.you.length > 0;
  const going = state.status !== "over";
  const playing = state.status === "playing";
  const [one, two] = state.players;
  const asked = (what) => state.offers[what] && !state.you.includes(state.offers[what]);
  const mine = (what) => state.offers[what] && state.you.includes(state.offers[what]);
  // Always there, so that nothing moves about under a finger.
  show("hint", playing && seated);
  $("hint").disabled = !state.you.includes(state.turn);
  show("takeback", playing && seated && state.moves.some((move) => state.you.includes(move.player)) && !state.offers.takeback);
  show("stop", playing && seated && page.dataset.cyclic === "yes" && !state.offers.stop);
  show("resign", going && seated && !confirming);
  show("confirm", Boolean(confirming));
  const off = state.status === "waiting";
  $("resign").textContent = $("really").textContent = off ? "Call off" : "Resign";
  $("sure").textContent = off ? "Call this game off? The link will lead nowhere." : "Give this game up?";
  show("typing", playing && seated);
  if (state.legal.length) $("like").textContent = state.legal[0];
  show("invite", state.status === "waiting" && seated);
  show("join", state.status === "waiting" && !seated && [one, two].some((each) => each.kind === "open"));
  show("spectator", !seated && state.status !== "waiting" && going);
  const offer = asked("takeback") ? "takeback" : asked("stop") ? "stop" : "";
  show("offer", Boolean(offer));
  if (offer) {
    const who = called(state.offers[offer]);
    $("offer-text").textContent = offer === "takeback" ? `${who} would like to take the last move back.` : `${who} would like to stop the game; nobody wins.`;
    $("agree").dataset.wish = offer;
  }
  const waiting = mine("takeback") || mine("stop");
  show("asked-for", Boolean(waiting) && playing && state.you.length === 1);
  show("over", !going);
  show("rematch", !going && seated && !state.rematch);
  show("to-rematch", Boolean(state.rematch));
  if (state.rematch) $("to-rematch").href = `/g/${state.rematch}`;
}

function show(id, visible) {
  const element = $(id);
  if (element.hidden === !visible) return;
  // Whoever stands on a button that goes away is not sent to the top of the page.
  if (!visible && element.contains(document.activeElement)) $("headline").focus();
  element.hidden = !visible;
}

function announce(text) {
  $("live").textContent = text;
}

function trouble(text) {
  $("trouble").textContent = text;
  $("trouble").hidden = !text;
}

function tellOffline(reason) {
  const kept = line?.pending?.move;
  $("offline").hidden = false;
  $("offline").textContent = `Offline, trying again. ${reason} ${kept ? `Your move ${kept} is kept and sent when the connection is back.` : ""}`.trim();
}

// Buttons

for (const type of ["hint", "takeback", "stop", "rematch"]) {
  $(type).addEventListener("click", () => wish(type));
}
$("resign").addEventListener("click", () => {
  confirming = "resign";
  render();
  $("really").focus();
});
$("really").addEventListener("click", () => {
  confirming = "";
  wish("resign");
});
$("go-on").addEventListener("click", () => {
  confirming = "";
  render();
  $("resign").focus();
});
$("confirm").addEventListener("keydown", (event) => event.key === "Escape" && $("go-on").click());
$("agree").addEventListener("click", (event) => wish(event.currentTarget.dataset.wish));
$("decline").addEventListener("click", () => wish("decline"));
$("withdraw").addEventListener("click", () => wish("decline"));

$("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = $("move").value.trim();
  if (!move) return;
  $("move").value = "";
  play(move);
});
$("board").addEventListener("nomove", (event) => {
  trouble(`${event.detail} cannot be moved to. Possible: ${state.legal.join(" ")}.`);
});

$("copy").addEventListener("click", async () => {
  const link = $("link");
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    document.execCommand("copy"); // without https there is no clipboard to write to
  }
  $("copied").textContent = "Copied.";
});

$("link").value = location.href.split(/[?#]/)[0];
render();
