// @ts-check
// Practice: what each move is worth, on the board of a game that is being played. Loaded when somebody
// asks for it; the server notes in the game that they did.

import { showValues } from "./values.js";

// To show the values of a game on its board; `said` is called with their legend, or what went wrong.
export function practise(place, id, said) {
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = new URL("values.css", import.meta.url).href;
  document.head.append(sheet);
  let on = false;
  let shown = -1; // the version whose values are shown, or asked for

  async function show(version, yours) {
    const wanted = on && yours ? version : -1;
    if (wanted === shown) return;
    shown = wanted;
    showValues(place);
    said("");
    if (wanted < 0) return;
    let answer;
    try {
      answer = await (await fetch(`/g/${id}/values`, { method: "POST" })).json();
    } catch {
      answer = { error: { message: "You are offline. Try again." } };
    }
    if (shown !== wanted) return;
    if (!answer.error) showValues(place, answer.values);
    said(answer.error?.message ?? answer.legend);
  }

  return {
    show,
    toggle: () => (on = !on),
    get on() {
      return on;
    },
  };
}
