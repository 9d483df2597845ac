// Look back at a game: step through it, see what each move was worth, and try other moves.
//
// The positions, the values and the texts come from the server. A position is fetched once.

import { Board } from "./board.js";

const $ = (id) => document.getElementById(id);
const game = JSON.parse($("played").textContent);
const last = game.moves.length;
const cache = new Map();
let at = game.at;
let tried = []; // moves that were not played in the game, from `at` on
let loading = false; // whether the board still shows an earlier position

const board = new Board($("board"), (move) => tryMove(move));

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

async function go(number) {
  at = Math.max(0, Math.min(last, number));
  tried = [];
  loading = true;
  const wanted = at;
  let position;
  try {
    position = await fetched(wanted);
  } catch {
    $("note").textContent = "You are offline: this position could not be loaded. Try again.";
    return;
  }
  if (at !== wanted || tried.length) return;
  loading = false;
  board.show(position.svg, { yours: position.legal.length > 0, questions: position.questions });
  $("board").classList.remove("tried");
  $("headline").textContent = position.headline;
  $("note").textContent = position.note;
  $("what-if").hidden = true;
  history.replaceState(null, "", `?at=${at}`);
  highlight();
  for (const near of [at + 1, at - 1]) if (near >= 0 && near <= last) fetched(near).catch(() => {});
}

function highlight() {
  for (const row of $("move-table").rows) {
    const here = Number(row.dataset.at) === at && row.dataset.at !== undefined;
    if (here) {
      row.setAttribute("aria-current", "step");
      const scroll = $("move-table").closest(".scroll");
      const above = row.offsetTop - scroll.clientHeight / 2;
      scroll.scrollTop = above;
    } else row.removeAttribute("aria-current");
  }
  for (const spot of document.querySelectorAll(".spot")) {
    spot.classList.toggle("here", Number(spot.dataset.at) === at);
  }
  $("first").disabled = $("before").disabled = at === 0;
  $("after").disabled = $("last").disabled = at === last;
  $("comment").textContent = game.comments?.[at - 1] ?? "";
}

for (const [id, step] of [
  ["first", () => 0],
  ["before", () => at - 1],
  ["after", () => at + 1],
  ["last", () => last],
]) {
  $(id).addEventListener("click", () => go(step()));
}
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  // On the board the arrow keys move over the cells.
  if ($("board").contains(event.target)) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});
$("move-table").addEventListener("click", (event) => {
  const link = event.target.closest("a[data-at]");
  if (!link) return;
  event.preventDefault();
  go(Number(link.dataset.at));
});
$("graph").addEventListener("click", (event) => {
  const spot = event.target.closest(".spot");
  if (spot) go(Number(spot.dataset.at));
});

// What if

async function tryMove(move) {
  if (loading) return; // such as the second click of two
  // The move that was played in the game is just the next step.
  if (!tried.length && move === game.moves[at]) {
    go(at + 1);
    return;
  }
  tried.push(move);
  if (!(await showTried())) tried.pop();
}

// Whether it could be shown; if not, the board stays as it was.
async function showTried() {
  loading = true;
  $("what-if").hidden = false;
  $("tried").textContent = tried.join(" ");
  $("options").replaceChildren();
  $("worth").textContent = "Thinking …";
  const asked = tried.join(" ");
  let answer;
  try {
    answer = await (await fetch(`/g/${game.id}/at/${at}?${new URLSearchParams({ tried: asked })}`)).json();
  } catch {
    answer = { error: { message: "You are offline. Try again." } };
  }
  if (asked !== tried.join(" ")) return true; // a newer request has replaced it
  loading = false;
  if (answer.error) {
    $("worth").textContent = answer.error.message;
    return false;
  }
  board.show(answer.svg, { yours: answer.legal.length > 0, questions: answer.questions });
  $("board").classList.add("tried");
  $("headline").textContent = answer.headline;
  $("note").textContent = answer.note;
  $("worth").textContent = answer.worth;
  $("options").replaceChildren(
    ...answer.options.map((option) => {
      const item = document.createElement("li");
      item.textContent = `${option.move}: ${option.worth}`;
      return item;
    }),
  );
  return true;
}

$("undo-tried").addEventListener("click", async () => {
  if (loading) return;
  const undone = tried.pop();
  if (!tried.length) go(at);
  else if (!(await showTried())) tried.push(undone);
});
$("to-game").addEventListener("click", () => go(at));

// The review may take a while, so it is polled until it is ready.

async function review() {
  let answer;
  try {
    answer = await (await fetch(`/g/${game.id}/review`)).json();
  } catch {
    setTimeout(review, 4000);
    return;
  }
  if (answer.error) {
    $("reviewing").textContent = answer.error.message;
    return;
  }
  if (!answer.ready) {
    $("progress").max = answer.of;
    $("progress").value = answer.done;
    $("review-status").textContent = `The engine is reviewing the game: ${answer.done} of ${answer.of} moves.`;
    setTimeout(review, 700);
    return;
  }
  $("reviewing").hidden = true;
  $("reviewed").hidden = false;
  $("graph").innerHTML = answer.graph;
  $("summary").replaceChildren(
    ...answer.summary.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
  game.comments = answer.moves.map((each) => each.comment);
  for (const row of $("move-table").rows) {
    const reviewed = answer.moves[Number(row.dataset.at) - 1];
    if (!reviewed) continue;
    row.querySelector(".mark").textContent = reviewed.mark;
    if (reviewed.mark) row.querySelector(".mark").title = reviewed.grade;
    row.querySelector(".worth").textContent = reviewed.worth;
    row.querySelector(".best").textContent = reviewed.lost > 0 ? reviewed.best : "";
  }
  $("live").textContent = answer.summary.join(" ");
  highlight();
}

board.set({ yours: game.legal > 0, questions: game.questions });
highlight();
if (game.review) review();
