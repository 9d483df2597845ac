// @ts-check
// Talking to people: links to copy or share, notifications when it is your turn, emotes.

const $ = (id) => document.getElementById(id);

// Links

async function copy(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https there is no clipboard to write to.
    const made = Object.assign(document.createElement("textarea"), { value: text });
    const select = field ?? document.body.appendChild(made);
    select.select();
    document.execCommand("copy");
    if (!field) select.remove();
  }
}

export async function copyLink() {
  await copy($("link").value, $("link"));
  $("copied").textContent = "Copied.";
}

export function shareLink({ title }) {
  return share({ title, text: `Play ${title} with me.`, url: $("link").value }, "copied");
}

// To whoever reads it, the player is "I", and not "you".
export function shareResult({ id, title, panel, players, you, ending }) {
  const other = players[2 - you[0]];
  const whom = other?.name || (other?.kind === "bot" ? `the ${other.level} bot` : "a friend");
  const mine = { won: `I won against ${whom}.`, lost: `I lost to ${whom}.`, none: `I played against ${whom}.` };
  const text = `${title}: ${you.length === 1 ? mine[panel.mood] : ending}`;
  return share({ title, text, url: new URL(`/g/${id}/back`, location.href).href }, "shared");
}

// Where the system cannot share, the text goes to the clipboard.
export async function share(what, place) {
  try {
    if (navigator.share) await navigator.share(what);
    else {
      await copy(`${what.text} ${what.url}`);
      $(place).textContent = "Copied.";
    }
  } catch (error) {
    if (error.name !== "AbortError") $(place).textContent = "This browser cannot share.";
  }
}

// On pages without a script of their own, two buttons copy and share the link.
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", copyLink);
for (const button of document.querySelectorAll("[data-share]")) {
  button.hidden = !navigator.share;
  button.addEventListener("click", () => share({ title: document.title, url: $("link").value }, "copied"));
}

// A notification that it is your turn, where that was allowed
export function notify(text, about) {
  if (window.gridwise.get("alerts") !== "on" || globalThis.Notification?.permission !== "granted") return;
  try {
    const note = new Notification(text, { body: about, tag: location.pathname });
    note.addEventListener("click", () => {
      window.focus();
      note.close();
    });
  } catch {
    // Phones allow notifications only to pages with a service worker.
  }
}

// Emotes: a few words, from a list that both sides know, beside who says them

const EMOTES = {
  wave: "☺ Hello!",
  "good-luck": "♣ Good luck!",
  "well-played": "★ Well played!",
  thanks: "♥ Thank you!",
  oops: "✗ Oops!",
  hurry: "» Your move!",
};
const SHOWN = 5000; // milliseconds
const PAUSE = 3000; // milliseconds between two of one player
const timers = {};

// Show what a player says; the words, for those who cannot see it.
export function showEmote(player, emote) {
  const said = $(`player-${player}`).querySelector(".said");
  said.textContent = EMOTES[emote] ?? "";
  said.hidden = !said.textContent;
  clearTimeout(timers[player]);
  timers[player] = setTimeout(() => {
    said.hidden = true;
  }, SHOWN);
  return said.textContent;
}

// Open or close the list; `say` sends one of them.
export function toggleEmotes(say) {
  if ($("say").hasAttribute("aria-disabled")) return;
  if (!$("emotes").children.length) prepareEmotes(say);
  open($("emotes").hidden);
}

function open(isOpen) {
  $("emotes").hidden = !isOpen;
  $("say").setAttribute("aria-expanded", String(isOpen));
}

function prepareEmotes(say) {
  for (const [emote, text] of Object.entries(EMOTES)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => {
      say(emote);
      $("say").focus();
      open(false);
      $("say").setAttribute("aria-disabled", "true");
      setTimeout(() => $("say").removeAttribute("aria-disabled"), PAUSE);
    });
    $("emotes").append(button);
  }
  $("emotes").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    open(false);
    $("say").focus();
  });
}

// Share how a puzzle went: a sign for each move that was found, and how many days in a row.
export function sharePuzzle({ title, difficulty, day, page, number, marks, missed, streak }, toast) {
  const what = day ? `Gridwise puzzle of the day, ${day}` : `Gridwise puzzle ${number}`;
  const signs = marks.map((mark) => (mark === "right" ? "🟩" : "🟨")).join("") || "🟩";
  const lines = [what, `${title} ${"●".repeat(difficulty)}`, `${signs} solved${missed ? "" : " on the first try"}`];
  if (day && streak > 1) lines.push(`Streak: ${streak} days`);
  share({ title: what, text: `${lines.join("\n")}\n`, url: new URL(page, location.href).href }, toast);
}
