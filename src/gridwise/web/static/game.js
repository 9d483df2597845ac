// The game page: shows each state the server sends, and sends the player's requests.
//
// There are no rules in here. Which cells are open, what to ask and what to say comes from the
// server; a move counts when the server confirms it.

import { Board } from "./board.js";
import { Connection } from "./connection.js";

const $ = (id) => document.getElementById(id);
const page = $("game");
let state = JSON.parse($("state").textContent);
let offline = false;
let hint = null; // the move to consider, and the sentence about it
let confirming = "";

const scheme = location.protocol === "https:" ? "wss:" : "ws:";
const board = new Board($("board"), (move, cell) => play(move, cell));
const connection = new Connection(`${scheme}//${location.host}/api/games/${page.dataset.id}/socket`, {
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
  if (message.type === "state") {
    const { type, svg, cells, ...next } = message; // the picture shows the cells
    if (next.version >= state.version) board.show(svg);
    update(next);
  } else if (message.type === "change") {
    // The server sends the whole state if it is not sure that this page has the version before.
    if (message.from !== state.version) return;
    board.redraw(message.svg_cells);
    update(changed(message));
  } else if (message.type === "presence") {
    Object.assign(state, message.players ? { players: message.players } : {});
    if ("spectators" in message) state.spectators = message.spectators;
    renderPlayers();
  } else if (message.type === "hint") {
    hint = message;
    connection.settle();
    announce(hint.text);
    render();
  } else if (message.type === "rematch") {
    connection.settle();
    location.assign(message.url);
  } else if (message.type === "done") {
    if (message.ref === connection.pending?.ref) connection.settle();
    renderBoard();
  } else if (message.type === "refused") {
    if (!message.ref || message.ref === connection.pending?.ref) connection.settle();
    problem(message.message);
    render();
  }
}

// The state after a change: the fields that it has, and the list of moves as it says.
function changed({ type, from, svg_cells, cells, moves, ...fields }) {
  const next = { ...state, ...fields };
  if (moves) next.moves = [...state.moves.slice(0, moves.keep), ...moves.add];
  return next;
}

function update(next) {
  if (next.version < state.version) return;
  const isNew = next.version > state.version;
  if (next.moves.length !== state.moves.length) hint = null;
  // A message is settled by a later version than the one it was sent on.
  if (connection.pending && next.version > connection.pending.version) connection.settle();
  state = next;
  if (isNew) {
    confirming = "";
    problem("");
    announce([...state.news, state.status_text].join(" "));
  }
  render();
}

// Requests to the server

function play(move, cell) {
  if (connection.pending) return;
  problem("");
  connection.send({ type: "move", move, version: state.version });
  board.set({ yours: false });
  cell?.classList.add("sending");
  if (offline) showOffline("");
}

function request(type) {
  if (connection.pending) {
    problem("Please wait: your last request has not been answered yet.");
    return;
  }
  problem("");
  connection.send({ type, version: state.version });
  render();
}

// Rendering

function render() {
  renderBoard();
  renderPlayers();
  renderMoves();
  renderActions();
  const headline = headlineText();
  $("headline").textContent = headline;
  // The engine may need a moment.
  $("news").textContent = connection.pending?.type === "hint" ? "Thinking …" : (hint?.text ?? newsText());
  document.title = `${headline.replace(/\.$/, "")} · ${state.title}`;
}

function renderBoard() {
  board.cancel(false);
  board.set({ yours: yours(), questions: state.questions });
  for (const cell of $("board").querySelectorAll(".hinted, .sending")) cell.classList.remove("hinted", "sending");
  if (hint) mark(hint.move, "hinted");
  if (connection.pending) mark(connection.pending.move, "sending");
}

function yours() {
  return state.status === "playing" && state.you.includes(state.turn) && !connection.pending;
}

function mark(move, how) {
  for (const cell of $("board").querySelectorAll("[data-moves]")) {
    if (cell.dataset.moves.split(" ").includes(move)) cell.classList.add(how);
  }
}

function playerName(seat) {
  const player = state.players[seat - 1];
  if (state.you.length === 1 && state.you[0] === seat) return "You";
  return player.name || (player.kind === "bot" ? `The ${player.level} bot` : `Player ${seat}`);
}

function headlineText() {
  if (state.status === "over") {
    if (state.result === "draw") return "It's a draw.";
    if (!state.result) return "The game was stopped.";
    const who = playerName(state.result === "p1" ? 1 : 2);
    return who === "You" ? "You win!" : `${who} wins${state.you.length === 1 ? "." : "!"}`;
  }
  if (state.status === "waiting") return state.you.length ? "Waiting for an opponent." : "A seat is free.";
  const who = playerName(state.turn);
  if (who === "You") return "Your turn.";
  return state.players[state.turn - 1].kind === "bot" ? `${who} is thinking.` : `${who}'s turn.`;
}

function newsText() {
  if (state.termination === "resignation") return `${playerName(state.result === "p1" ? 2 : 1)} resigned.`;
  if (state.status === "over" && state.reason) {
    return `${state.reason[0].toUpperCase()}${state.reason.slice(1)}.`;
  }
  return state.news.join(" ");
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
    // A row has a move of each player; after a pass one side is empty.
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
  // Always there, so that buttons do not move around.
  show("hint", playing && seated);
  $("hint").disabled = !state.you.includes(state.turn);
  show("takeback", playing && seated && state.moves.some((move) => state.you.includes(move.player)) && !state.offers.takeback);
  $("stop").textContent = state.you.length === 2 || [one, two].some((each) => each.kind === "bot") ? "Stop" : "Offer to stop";
  show("stop", playing && seated && page.dataset.cyclic === "yes" && !state.offers.stop);
  show("resign", going && seated && !confirming);
  show("confirm", Boolean(confirming));
  const waiting = state.status === "waiting";
  $("resign").textContent = $("confirm-resign").textContent = waiting ? "Cancel invitation" : "Resign";
  $("confirm-text").textContent = waiting ? "Cancel the invitation? The link will stop working." : "Resign this game?";
  show("typing", playing && seated);
  if (state.legal.length) $("example").textContent = state.legal[0];
  show("invite", state.status === "waiting" && seated);
  show("join", state.status === "waiting" && !seated && [one, two].some((each) => each.kind === "open"));
  show("spectator", !seated && state.status !== "waiting" && going);
  const offer = asked("takeback") ? "takeback" : asked("stop") ? "stop" : "";
  show("offer", Boolean(offer));
  if (offer) {
    const who = playerName(state.offers[offer]);
    $("offer-text").textContent = offer === "takeback" ? `${who} asks to take the last move back.` : `${who} asks to stop the game. Nobody would win.`;
    $("agree").dataset.request = offer;
  }
  const offered = mine("takeback") || mine("stop");
  show("my-offer", Boolean(offered) && playing && state.you.length === 1);
  show("over", !going);
  show("rematch", !going && seated && !state.rematch);
  show("to-rematch", Boolean(state.rematch));
  if (state.rematch) $("to-rematch").href = `/g/${state.rematch}`;
}

function show(id, visible) {
  const element = $(id);
  if (element.hidden === !visible) return;
  // When the focused button disappears, the focus must not go to the top of the page.
  if (!visible && element.contains(document.activeElement)) $("headline").focus();
  element.hidden = !visible;
}

function announce(text) {
  $("live").textContent = text;
}

function problem(text) {
  $("problem").textContent = text;
  $("problem").hidden = !text;
}

function showOffline(reason) {
  const move = connection?.pending?.move;
  $("offline").hidden = false;
  $("offline").textContent = `You are offline. Reconnecting… ${reason} ${move ? `Your move ${move} will be sent when you are back online.` : ""}`.trim();
}

// Buttons

for (const type of ["hint", "takeback", "stop", "rematch"]) {
  $(type).addEventListener("click", () => request(type));
}
$("resign").addEventListener("click", () => {
  confirming = "resign";
  render();
  $("confirm-resign").focus();
});
$("confirm-resign").addEventListener("click", () => {
  confirming = "";
  request("resign");
});
$("keep-playing").addEventListener("click", () => {
  confirming = "";
  render();
  $("resign").focus();
});
$("confirm").addEventListener("keydown", (event) => event.key === "Escape" && $("keep-playing").click());
$("agree").addEventListener("click", (event) => request(event.currentTarget.dataset.request));
$("decline").addEventListener("click", () => request("decline"));
$("withdraw").addEventListener("click", () => request("decline"));

$("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = $("move").value.trim();
  if (!move) return;
  $("move").value = "";
  play(move);
});
$("board").addEventListener("illegal", (event) => {
  problem(`${event.detail} is not a legal move. Possible: ${state.legal.join(" ")}.`);
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
