// @ts-check
// Lessons: the server answers each move with a page. This script plays what has happened on the board
// and then puts that page in place without a reload; without it the form is sent the usual way.

import { Board, inColours } from "./board.js";

const main = document.querySelector("main");
const FASTEST = 250; // milliseconds between two moves
let board = null;
let busy = false; // a move is being sent or shown

// A live region is read out when its text changes, not when it is replaced: this one stays.
const live = document.createElement("div");
live.className = "visually-hidden";
live.setAttribute("aria-live", "polite");
document.body.append(live);

function dataOf(page) {
  return JSON.parse(page.querySelector("#lesson")?.textContent ?? "{}");
}

function begin(focused) {
  /** @type {any} */
  const form = document.getElementById("answer");
  const place = document.getElementById("board");
  if (!place) return;
  board = new Board(place, (move) => {
    if (busy) return;
    form.elements.move.value = move;
    form.requestSubmit();
  });
  for (const part of main.querySelectorAll("[data-scripted]")) part.hidden = false;
  const { questions = [], highlight = [] } = dataOf(document);
  board.set({ yours: Boolean(form), questions });
  board.highlight(highlight);
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    turn(form.action, { method: "POST", body }, place.contains(document.activeElement) || focused);
  });
  if (focused && form) board.focus();
  place.addEventListener("illegal", (event) => {
    live.textContent = `${event.detail} is not a legal move.`;
  });
}

// Fetch the next page, show what has happened until then, and put it in place.
async function turn(address, request, focused, isBack = false) {
  if (busy) return;
  busy = true;
  try {
    await fetchPage(address, request, focused, isBack);
  } finally {
    busy = false;
  }
}

async function fetchPage(address, request, focused, isBack) {
  const problem = document.getElementById("problem");
  let answer, text;
  try {
    answer = await fetch(address, { headers: { Accept: "text/html" }, ...request });
    text = await answer.text();
  } catch {
    problem.textContent = "You are offline: the move was not sent. Try again.";
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!answer.ok) {
    // Too many requests, for example: the board stays, and the move can be made again.
    problem.textContent = page.querySelector("main .lead")?.textContent ?? "That did not work. Try again.";
    return;
  }
  const stays = page.querySelector(".lesson")?.dataset.at === document.querySelector(".lesson")?.dataset.at;
  const returns = isBack || address === document.getElementById("next")?.href;
  if (!stays && !returns) await play(dataOf(page).frames ?? []);
  if (!isBack && answer.url !== location.href) history.pushState(null, "", answer.url);
  main.replaceChildren(...page.querySelector("main").childNodes);
  document.title = page.title;
  // As it is seen: without the other name of a colour.
  live.textContent = [...main.querySelectorAll("#coach > *")].map((each) => each.innerText).join(" ");
  begin(focused);
  remember();
  if (focused && !document.getElementById("answer")) document.getElementById("next")?.focus();
}

// The moves that lead to the next page, one after the other, each in words too.
async function play(frames) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const telling = document.getElementById("telling");
  const pace = Number(window.gridwise?.get("pace") ?? 600);
  board.highlight([]);
  board.set({ yours: false, legal: [], targets: [] });
  document.querySelector(".lesson").classList.toggle("showing", frames.length > 0);
  telling.hidden = false;
  for (const [number, frame] of frames.entries()) {
    telling.textContent = inColours(frame.news);
    await board.show(frame.svg, { event: frame.event }); // the words stand beside the board already
    document.querySelector(".caption").textContent = inColours(frame.caption);
    const pause = number + 1 < frames.length ? pace : pace / 2;
    if (pace) await new Promise((resume) => setTimeout(resume, Math.max(FASTEST, pause)));
  }
}

main.addEventListener("click", (event) => {
  const link = event.target.closest("a.partial");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  turn(link.href, {}, document.activeElement === link);
});

// Which lessons have been finished is kept in this browser, and shown in the list of lessons.
function remember() {
  const learned = new Set((window.gridwise?.get("learned") ?? "").split(" ").filter(Boolean));
  const finished = document.querySelector(".lesson[data-done]")?.dataset.done;
  if (finished) window.gridwise?.set("learned", [...learned.add(finished)].join(" "));
  for (const note of document.querySelectorAll("[data-lesson]")) note.hidden = !learned.has(note.dataset.lesson);
}

addEventListener("popstate", () => {
  if (!location.hash) turn(location.href, {}, false, true);
});

begin(false);
remember();
