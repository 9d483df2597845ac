// Lessons and puzzles: the server answers each move with a page. This script puts that page in place
// without a reload, and makes the board clickable; without it the form is sent the usual way.

import { Board } from "./board.js";

const main = document.querySelector("main");

// A live region is read out when its text changes, not when it is replaced: this one stays.
const live = document.createElement("div");
live.className = "visually-hidden";
live.setAttribute("aria-live", "polite");
document.body.append(live);

function begin(focused) {
  const form = document.getElementById("answer");
  const place = document.getElementById("board");
  if (!place) return;
  const board = new Board(place, (move) => {
    form.elements.move.value = move;
    form.requestSubmit();
  });
  const questions = JSON.parse(document.getElementById("questions")?.textContent ?? "[]");
  board.set({ yours: Boolean(form), questions });
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, place.contains(document.activeElement) || focused);
  });
  if (focused && form) board.focus();
  place.addEventListener("illegal", (event) => {
    live.textContent = `${event.detail} is not a legal move.`;
  });
}

async function send(form, focused) {
  const problem = document.getElementById("problem");
  let answer, text;
  try {
    answer = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "text/html" },
      body: new URLSearchParams(new FormData(form)),
    });
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
  history.replaceState(null, "", answer.url);
  main.replaceChildren(...page.querySelector("main").childNodes);
  document.title = page.title;
  live.textContent = [...main.querySelectorAll(".side p")].map((each) => each.textContent).join(" ");
  begin(focused);
  const next = document.getElementById("next");
  if (focused && !document.getElementById("answer")) next?.focus();
}

begin(false);
