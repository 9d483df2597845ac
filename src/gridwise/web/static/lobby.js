// The lobby of the start page: who waits and who plays, asked for every five seconds while it is seen.

const PERIOD = 5000;
const place = document.getElementById("open");
const nobody = document.getElementById("nobody");

function element(name, className, ...inside) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...inside);
  return made;
}

// Names are text of their own direction.
function versus(names) {
  return names.flatMap((name, place) => [
    place ? " against " : "",
    element("bdi", "", name),
  ]);
}

function row(game, action) {
  const about = element("small", "", ...versus(game.names));
  if (action === "Join") about.append(" is waiting");
  if (game.clock) {
    const { minutes, increment } = game.clock;
    about.append(` · ${minutes} min${increment ? ` + ${increment} s` : ""}`);
  }
  if (game.series) about.append(` · best of ${game.series.best_of}`);
  const what = element("span", "what", game.title, about);
  const sign = element("span", "sign");
  sign.ariaHidden = "true";
  const link = element("a", "", sign, what, " ", element("b", "", action));
  link.href = game.url;
  const made = element("li", "", link);
  made.dataset.game = game.game;
  made.dataset.key = `${action} ${game.id}`;
  return made;
}

// Rows that stay are left alone, so that nobody loses the link under the pointer or the focus.
function show(lobby) {
  const known = new Map([...place.children].map((each) => [each.dataset.key, each]));
  const rows = [
    ...lobby.open.map((game) => ["Join", game]),
    ...lobby.playing.map((game) => ["Watch", game]),
  ].map(([action, game]) => known.get(`${action} ${game.id}`) ?? row(game, action));
  for (const each of known.values()) if (!rows.includes(each)) each.remove();
  rows.forEach((each, at) => {
    if (place.children[at] !== each) place.insertBefore(each, place.children[at] ?? null);
  });
  nobody.hidden = rows.length > 0;
}

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/api/lobby", { cache: "no-store" });
    if (answer.ok) show(await answer.json());
  } catch {
    // Offline: the lists stay as they are until the next look.
  }
}

setInterval(look, PERIOD);
document.addEventListener("visibilitychange", look);
