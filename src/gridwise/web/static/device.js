// @ts-check
// Puzzle progress on its way to another device: it is kept in this browser alone, so it travels in the
// link, behind the "#", which no browser sends to a server that opens it.

const STORE = "gridwise.puzzles"; // as in puzzle.js
const LONGEST = 600; // characters: a phone has to read them from a QR code

// Packed texts are short enough for a link: what is written, compressed, in letters of an address.

async function through(stream, bytes) {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();
}

async function packed(value) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(value)));
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes)));
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "{}");
  } catch {
    return {}; // no storage, or not what was written
  }
}

// All of it or, if that is too long, the days of the streak, the newest first.
async function progress() {
  const { days = {}, ...rest } = kept();
  const whole = await packed({ days, ...rest });
  if (whole.length <= LONGEST) return whole;
  let newest = Object.keys(days).sort().reverse();
  for (;;) {
    const some = await packed({ days: Object.fromEntries(newest.map((day) => [day, days[day]])) });
    if (some.length <= LONGEST) return some;
    newest = newest.slice(0, newest.length * 0.8);
  }
}

// What either has; where both do, what was better.
function together(own, other) {
  const isPart = (each) => each && typeof each === "object" && !Array.isArray(each);
  const made = { ...other, ...own };
  for (const name of Object.keys(other)) {
    if (isPart(own[name]) && isPart(other[name])) made[name] = together(own[name], other[name]);
    else if (typeof own[name] === "number") made[name] = Math.max(own[name], Number(other[name]) || 0);
  }
  return made;
}

/** @type {any} */
const field = document.querySelector("input[name=progress]");
if (field && "CompressionStream" in window && Object.keys(kept()).length) {
  progress().then((text) => {
    field.value = text;
    for (const part of document.querySelectorAll("[data-progress]")) part.hidden = false;
    for (const part of document.querySelectorAll("[data-nothing]")) part.hidden = true;
  }, () => {}); // the seats travel without it
}

const brought = location.hash.match(/^#progress=([\w-]+)$/);
const form = document.querySelector("form[data-continue]");
if (brought && form && "DecompressionStream" in window) {
  const coming = unpacked(brought[1]).catch(() => ({}));
  let isThere = false;
  form.addEventListener("submit", async (event) => {
    if (isThere) return;
    event.preventDefault();
    const [own, other] = [kept(), await coming];
    const newer = [own.latest, other.latest].sort((one, two) => (one?.day ?? "") < (two?.day ?? "") ? 1 : -1)[0];
    const all = together(own, other);
    if (newer) all.latest = newer;
    try {
      localStorage.setItem(STORE, JSON.stringify(all));
    } catch {
      // Nothing is stored here.
    }
    isThere = true;
    /** @type {any} */ (form).submit();
  });
}
