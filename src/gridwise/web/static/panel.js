// The panel of a game: the players with clock, score and bar, the moves, the buttons, the end card.

const $ = (id) => document.getElementById(id);
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const UNDECIDED = ["resignation", "time-out"]; // ends before points decide
const BEYOND = 3; // segments of a bar after the target, where one must not go

// A name from right to left must not turn the sentence around: as the server does it.
const apart = (name) => (RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

// What a player is called in a sentence ("You", "The casual bot") and on a card ("Casual bot").
export function playerName(state, seat) {
  const player = state.players[seat - 1];
  if (state.you.length === 1 && state.you[0] === seat) return "You";
  return apart(player.name) || (player.kind === "bot" ? `The ${player.level} bot` : state.you.length === 1 ? "Your opponent" : `Player ${seat}`);
}

function cardName(state, player) {
  if (player.name) return player.name;
  if (player.kind === "bot") return `${player.level[0].toUpperCase()}${player.level.slice(1)} bot`;
  if (player.kind === "open") return "Free seat";
  if (state.you.length !== 1) return `Player ${player.seat}`;
  return player.seat === state.you[0] ? "You" : "Opponent";
}

// The other player, inside a sentence to one of the two.
function opponentName(state) {
  const name = playerName(state, 3 - state.you[0]);
  return state.players[2 - state.you[0]].name ? name : `${name[0].toLowerCase()}${name.slice(1)}`;
}

// Show a state. `page` is what only this window knows: what is being asked, thought about or moved.
export function render(state, page) {
  renderPlayers(state, page.moving);
  renderMoves(state);
  renderActions(state, page);
  if (state.status === "over") fillCard(state);
  const headline = headlineText(state);
  $("game").dataset.status = state.status;
  $("game").dataset.turn = page.yours ? "yours" : "";
  $("headline").textContent = headline;
  $("news").textContent = page.hint || newsText(state, page.yours);
  document.title = `${page.calling ? "● " : ""}${callText(state, page.arrived) || headline.replace(/\.$/, "")} · ${state.title}`;
}

function newsText(state, yours) {
  if (state.status === "over" && state.why) return state.since ?? state.why;
  return state.news.join(" ") || (yours ? "Choose one of the marked cells." : "");
}

// The same for a name that stands alone.
function isolated(name) {
  const element = document.createElement("bdi");
  element.textContent = name;
  return element;
}

// What the other player waits for after the end; `arrived`: the next game was made while this page was open.
export function callText(state, arrived) {
  if (state.status !== "over" || state.you.length !== 1) return "";
  const other = 3 - state.you[0];
  if (state.offers.rematch === other) return `Rematch? ${playerName(state, other)} is waiting`;
  const isNext = arrived && state.series && !state.series.over;
  return isNext ? `${playerName(state, other)} is waiting in game ${state.series.game + 1}` : "";
}

function headlineText(state) {
  if (state.status === "over") {
    if (state.players.some((player) => player.kind === "open")) return "The invitation was cancelled.";
    if (state.result === "draw") return "A draw.";
    if (!state.result) return "The game was stopped.";
    const who = playerName(state, state.result === "p1" ? 1 : 2);
    return `${who} won${who === "You" ? "!" : "."}`;
  }
  if (state.status === "waiting") return state.you.length ? "Waiting for an opponent." : "A seat is free.";
  const who = playerName(state, state.turn);
  if (who === "You") return "Your turn.";
  return state.players[state.turn - 1].kind === "bot" ? `${who} is thinking.` : `${who}'s turn.`;
}

// The players

// Points count when they have been seen to arrive: `moving` keeps the old ones.
function renderPlayers(state, moving) {
  for (const player of state.players) {
    const card = $(`player-${player.seat}`);
    const part = (name) => card.querySelector(`.${name}`);
    const mine = state.you.includes(player.seat);
    part("name").replaceChildren(isolated(cardName(state, player)));
    const about = [];
    if (mine && (player.name || state.you.length === 2)) about.push(state.you.length === 2 ? "here" : "you");
    if (player.kind === "human" && !mine) about.push(player.present ? "here" : "away");
    part("about").textContent = about.join(", ");
    card.classList.toggle("away", player.kind === "human" && !mine && !player.present);
    card.classList.toggle("due", state.turn === player.seat && state.status === "playing");
    card.classList.toggle("winner", state.result === `p${player.seat}`);
    const { text, ...aim } = state.objectives[player.seat - 1];
    const aims = state.status !== "over" && player.kind !== "open";
    part("aim").textContent = aims ? `${text[0].toUpperCase()}${text.slice(1)}` : "";
    if (moving) continue;
    changeNumber(part("score"), state.scores && state.status !== "waiting" ? state.scores[player.seat - 1] : "");
    fillBar(part("bar"), aim);
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
  const needed = Math.ceil(series.best_of / 2);
  for (const player of players) {
    const won = series.wins[player.seat - 1];
    const spoken = document.createElement("span");
    spoken.className = "visually-hidden";
    spoken.textContent = `${won} won `;
    const points = Array.from({ length: needed }, (_, index) => point(index < won));
    $(`player-${player.seat}`).querySelector(".wins").replaceChildren(...points, spoken);
  }
}

function point(won) {
  const element = document.createElement("i");
  if (won) element.className = "on";
  return element;
}

// The seats as the viewer sees them: you first.
const order = ({ you }) => (you.length === 1 && you[0] === 2 ? [2, 1] : [1, 2]);

function scoredName(state, seat) {
  return state.you.length === 1 && state.you[0] === seat ? "You" : cardName(state, state.players[seat - 1]);
}

function matchText(state) {
  const { series } = state;
  if (!series) return "";
  const [one, two] = series.wins;
  const called = (seat) => apart(scoredName(state, seat));
  const [left, right] = order(state);
  const line = `${called(left)} ${series.wins[left - 1]} : ${series.wins[right - 1]} ${called(right)}`;
  if (!series.over) return `Match: ${line} (best of ${series.best_of})`;
  if (one === two) return `The match is drawn: ${line}`;
  const winner = called(one > two ? 1 : 2);
  return `${winner} won the match: ${line}`;
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

function renderMoves(state) {
  if (state.moves === listed) return;
  listed = state.moves;
  // In row 3 the third of each; who has passed has fewer.
  const columns = [state.first, 3 - state.first].map((seat) => state.moves.filter(({ player }) => player === seat));
  const rows = Array.from({ length: Math.max(...columns.map((moves) => moves.length)) }, (_, index) => {
    const row = document.createElement("tr");
    const number = document.createElement("th");
    number.scope = "row";
    number.className = "n";
    number.textContent = index + 1;
    row.append(number);
    for (const move of columns.map((moves) => moves[index])) {
      const text = document.createElement("span");
      if (move) text.textContent = move.move + (move.hinted ? " (hint)" : "");
      if (move && move === state.moves.at(-1)) text.className = "latest";
      const cell = document.createElement("td");
      cell.append(text);
      row.append(cell);
    }
    return row;
  });
  $("moves").replaceChildren(...rows);
  const heads = $("move-heads").querySelectorAll("th");
  [state.first, 3 - state.first].forEach((seat, index) => {
    heads[index + 1].replaceChildren(isolated(cardName(state, state.players[seat - 1])));
  });
  $("move-heads").hidden = rows.length === 0;
  const scroll = $("moves").closest(".scroll");
  scroll.scrollTop = scroll.scrollHeight;
  $("no-moves").hidden = rows.length > 0;
}

// What can be done and what is asked

function renderActions(state, { confirming, cardOpen }) {
  const seated = state.you.length > 0;
  const going = state.status !== "over";
  const playing = state.status === "playing";
  const waiting = state.status === "waiting";
  const [one, two] = state.players;
  const asked = (what) => state.offers[what] && !state.you.includes(state.offers[what]);
  const mine = (what) => state.offers[what] && state.you.includes(state.offers[what]);
  // Always there, so that buttons do not move around.
  show("hint", playing && seated && decidesAlone(state));
  $("hint").disabled = !state.you.includes(state.turn);
  show("takeback", playing && seated && state.moves.some((move) => state.you.includes(move.player)) && !state.offers.takeback);
  $("stop").textContent = decidesAlone(state) ? "Stop" : "Offer to stop";
  show("stop", playing && seated && $("game").dataset.cyclic === "yes" && !state.offers.stop && !confirming);
  show("resign", going && seated && !confirming);
  $("resign").textContent = waiting ? "Cancel invitation" : "Resign";
  show("confirm", Boolean(confirming));
  if (confirming) {
    const stops = confirming === "stop";
    $("sure").value = confirming;
    $("keep-playing").textContent = waiting ? "Keep waiting" : "Keep playing";
    $("sure").textContent = stops ? "Stop the game" : $("resign").textContent;
    $("confirm-text").textContent = stops ? "Stop this game? Nobody wins." : waiting ? "Cancel the invitation? The link will stop working." : "Resign this game?";
  }
  show("typing", playing && seated);
  if (state.legal.length) $("example").textContent = state.legal[0];
  show("invite", waiting && seated);
  show("join", waiting && !seated);
  show("spectator", !seated && playing);
  const offer = asked("takeback") ? "takeback" : asked("stop") ? "stop" : "";
  show("offer", Boolean(offer) && playing && seated);
  if (offer) {
    const who = playerName(state, state.offers[offer]);
    $("offer-text").textContent = offer === "takeback" ? `${who} asks to take the last move back.` : `${who} asks to stop the game. Nobody would win.`;
    $("agree").value = offer;
  }
  show("my-offer", Boolean(mine("takeback") || mine("stop")) && playing && state.you.length === 1);
  if (state.you.length === 1) $("my-offer-text").textContent = `Waiting for ${opponentName(state)} to answer.`;
  const talks = state.you.length === 1 && one.kind === "human" && two.kind === "human";
  show("say", talks);
  if (!talks) show("emotes", false);
  show("over", !going && cardOpen);
  show("show-card", !going && !cardOpen);
}

// Nobody else has to agree: against a bot, or with both sides at this screen.
export function decidesAlone(state) {
  return state.you.length === 2 || state.players.some((each) => each.kind === "bot");
}

function show(id, visible) {
  const element = $(id);
  if (element.hidden === !visible) return;
  // When the focused button disappears, the focus must not go to the top of the page.
  if (!visible && element.contains(document.activeElement)) $("headline").focus();
  element.hidden = !visible;
}

// The end card

function fillCard(state) {
  const { result, scores, objectives, termination } = state;
  $("over-title").textContent = headlineText(state);
  $("why").textContent = state.why ?? "";
  const [left, right] = order(state);
  const counts = scores && result && objectives.some(({ need }) => need) && !UNDECIDED.includes(termination); // points decided
  const final = counts ? [isolated(scoredName(state, left)), ` ${scores[left - 1]} : ${scores[right - 1]} `, isolated(scoredName(state, right))] : [];
  $("final").replaceChildren(...final);
  $("since").textContent = (!state.offers.rematch && state.since) || "";
  $("match-score").textContent = matchText(state);
  $("over").dataset.result = cardMood(state);
  const winners = { p1: ["one"], p2: ["two"], draw: ["one", "two"] }[result] ?? [];
  if ($("faces").children.length !== winners.length) $("faces").replaceChildren(...winners.map(face));
  const next = state.series && !state.series.over;
  const joined = state.players.every((player) => player.kind !== "open");
  const begun = result || state.moves.length > 0;
  const seated = state.you.length > 0;
  const asked = state.offers.rematch ?? 0;
  const mine = asked && state.you.includes(asked);
  $("rematch").textContent = next ? "Next game" : "Rematch";
  $("rematch").hidden = !seated || !joined || !begun || Boolean(state.rematch) || Boolean(asked);
  $("rematch-offer").hidden = !seated || !asked || mine || Boolean(state.rematch);
  if (asked) $("rematch-offer-text").textContent = `${playerName(state, asked)} ${next ? "is ready for the next game" : "offers a rematch"}.`;
  $("my-rematch").hidden = !mine || Boolean(state.rematch);
  if (mine) $("my-rematch-text").textContent = `You offered a rematch. Waiting for ${opponentName(state)} to answer.`; // the next game of a match needs no offer
  $("to-rematch").hidden = !state.rematch;
  $("to-rematch").textContent = `${seated ? "Go to" : "Watch"} the ${next ? "next game" : "rematch"}`;
  if (state.rematch) $("to-rematch").href = `/g/${state.rematch}`;
  $("look-back").hidden = !state.moves.length;
  $("turning-point").search = ""; // the script of that page asks for the comments itself
  $("turning-point").hidden = !result || state.moves.length < 4; // nothing turned in so short a game
  $("new-game").textContent = joined ? "New game" : "Start your own game";
}

function face(side) {
  const element = document.createElement("span");
  element.className = `face ${side}`;
  return element;
}

function cardMood({ result, you }) {
  if (result !== "p1" && result !== "p2") return "none";
  if (you.length !== 1) return result;
  return result === `p${you[0]}` ? "won" : "lost";
}
