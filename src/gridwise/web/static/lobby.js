// @ts-check
// The lobby of the start page: who waits and who plays, asked for every five seconds while it is seen.

const PERIOD = 5000; // milliseconds
const place = document.getElementById("open");
const nobody = document.getElementById("nobody");

// Rows that stay are left alone, so that nobody loses the link under the pointer or the focus.
function show(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  const known = new Map([...place.children].map((each) => [each.dataset.key, each]));
  const rows = [...made.content.children].map((row) => known.get(row.dataset.key) ?? row);
  for (const each of known.values()) if (!rows.includes(each)) each.remove();
  rows.forEach((each, at) => {
    if (place.children[at] !== each) place.insertBefore(each, place.children[at] ?? null);
  });
  nobody.hidden = rows.length > 0;
}

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/lobby", { cache: "no-store" });
    if (answer.ok) show(await answer.text());
  } catch {
    // Offline: the lists stay as they are until the next look.
  }
}

setInterval(look, PERIOD);
document.addEventListener("visibilitychange", look);
