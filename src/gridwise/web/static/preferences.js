// @ts-check
// Preferences kept in this browser (theme, pace, sound, labels, alerts, name) and the controls for them.
//
// A plain script in the head, so that no page flashes in the wrong colours. Other scripts use
// `window.gridwise`: get(name), set(name, value), forget(). After a change the document gets an
// event "gridwise:preference" with the name. In the pages:
//
//     data-preference="sound"   an input or select that shows and changes a preference
//     data-scripted             hidden in the HTML, because it needs scripts; shown by this one
//     data-forget               a form that erases everything: what is kept here goes with it

(() => {
  const PREFIX = "gridwise.";
  const CHOICES = {
    theme: ["system", "light", "dark", "contrast", "colour-blind"],
    pace: ["600", "0", "300", "1000"],
    sound: ["off", "on"],
    labels: ["on", "off"],
    alerts: ["off", "on"],
  }; // the first is the usual one
  const root = document.documentElement;
  const unsaved = {}; // where the browser stores nothing, a choice holds for one page

  const stored = (name) => {
    try {
      return localStorage.getItem(PREFIX + name);
    } catch {
      return unsaved[name] ?? null;
    }
  };

  const get = (name) => {
    const value = stored(name);
    if (!(name in CHOICES)) return value ?? ""; // a name, what has been learned
    const known = CHOICES[name].includes(value) ? value : CHOICES[name][0];
    return name === "pace" ? Number(known) : known;
  };

  const set = (name, value) => {
    try {
      localStorage.setItem(PREFIX + name, String(value));
    } catch {
      unsaved[name] = String(value);
    }
    changed(name);
  };

  const forget = () => {
    for (const storage of ["localStorage", "sessionStorage"]) {
      try {
        for (const key of Object.keys(window[storage])) {
          if (key.startsWith(PREFIX)) window[storage].removeItem(key);
        }
      } catch {
        // Nothing is stored.
      }
    }
    for (const name of ["name", ...Object.keys(CHOICES)]) changed(name);
  };

  const paint = () => {
    const theme = get("theme");
    const more = theme === "system" && matchMedia("(prefers-contrast: more)").matches;
    root.dataset.theme = more ? "contrast" : theme;
    root.dataset.labels = get("labels");
    // The bars of a phone's browser take the colour of the page.
    const bars = document.querySelector('meta[name="theme-color"]');
    if (document.body) bars.content = getComputedStyle(document.body).backgroundColor;
  };

  const changed = (name) => {
    paint();
    for (const control of controls(name)) show(control);
    document.dispatchEvent(new CustomEvent("gridwise:preference", { detail: name }));
  };

  window.gridwise = { get, set, forget };
  paint();

  // Controls

  const controls = (name) => document.querySelectorAll(`[data-preference="${name}"]`);

  const show = (control) => {
    const value = String(get(control.dataset.preference));
    if (control.type === "radio") control.checked = control.value === value;
    else if (control.type === "checkbox") control.checked = value === "on";
    else control.value = value;
  };

  const choose = async (control) => {
    const name = control.dataset.preference;
    let value = control.type === "checkbox" ? (control.checked ? "on" : "off") : control.value;
    if (name === "name") value = value.trim();
    if (name === "alerts" && value === "on" && "Notification" in window) {
      const answer = await Notification.requestPermission();
      const note = document.getElementById("alerts-note");
      if (note) note.hidden = answer !== "denied";
    }
    set(name, value);
  };

  const closeMenus = (but) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!but || !menu.contains(but)) menu.open = false;
    }
  };

  addEventListener("DOMContentLoaded", () => {
    paint();
    for (const part of document.querySelectorAll("[data-scripted]")) part.hidden = false;
    for (const control of document.querySelectorAll("[data-preference]")) show(control);
    for (const field of document.querySelectorAll('form input[name="name"]')) {
      field.value ||= get("name");
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.dataset?.preference) choose(event.target);
  });
  // A second click must not start a second game; who comes back to the page can send it again.
  const sent = new Set();
  addEventListener("pageshow", () => sent.clear());
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if (sent.has(event.target)) event.preventDefault();
    sent.add(event.target);
  });
  document.addEventListener("submit", ({ target }) => {
    // A name given once is offered the next time.
    const field = target.querySelector('input[name="name"]:not([type="hidden"])');
    if (field) set("name", field.value.trim());
    if (target.matches("[data-forget]")) forget();
  });
  document.addEventListener("click", (event) => closeMenus(event.target));
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
    if (!menu) return;
    closeMenus();
    menu.querySelector("summary").focus();
  });
  // The worker has a page for when there is no network. It is fetched when everything else is there.
  const work = () => navigator.serviceWorker?.register("/worker.js", { updateViaCache: "all" }).catch(() => {});
  addEventListener("load", () => setTimeout(work, 3000));
  addEventListener("storage", (event) => {
    if (event.key?.startsWith(PREFIX)) changed(event.key.slice(PREFIX.length));
  });
})();
