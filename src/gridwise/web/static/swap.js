// Lessons and puzzles: the server answers each move with a page. With this script the answer takes
// the place of the old one without a reload, and the board can be clicked and walked over; without
// it the same form is sent the usual way.

import { Board } from "./board.js";

const main = document.querySelector("main");

// A live region speaks when its text changes, not when it is put in anew: this one stays.
const live = document.createElement("div");
live.className = "unseen";
live.setAttribute("aria-live", "polite");
document.body.append(live);

function begin(walking) {
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
    send(form, place.contains(document.activeElement) || walking);
  });
  if (walking && form) board.focus();
  place.addEventListener("nomove", (event) => {
    live.textContent = `${event.detail} cannot be moved to.`;
  });
}

async function send(form, walking) {
  const trouble = document.getElementById("trouble");
  let answer, text;
  try {
    answer = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "text/html" },
      body: new URLSearchParams(new FormData(form)),
    });
    text = await answer.text();
  } catch {
    trouble.textContent = "Offline: the move was not sent. Try again.";
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!answer.ok) {
    // Too fast, say: the board stays, and the move can be made again.
    trouble.textContent = page.querySelector("main .lead")?.textContent ?? "That did not work. Try again.";
    return;
  }
  history.replaceState(null, "", answer.url);
  main.replaceChildren(...page.querySelector("main").childNodes);
  document.title = page.title;
  live.textContent = [...main.querySelectorAll(".side p")].map((each) => each.textContent).join(" ");
  begin(walking);
  const next = document.getElementById("next");
  if (walking && !document.getElementById("answer")) next?.focus();
}

begin(false);
