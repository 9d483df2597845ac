// Light or dark colours: as the system is set, until the visitor presses the button.
//
// A plain script in the head, so that a page never flashes in the wrong colours.

(() => {
  const root = document.documentElement;
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch {
    // No storage in this browser: the choice then holds for one page.
  }
  if (chosen) root.dataset.theme = chosen;

  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const dark = () =>
      (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "")) ===
      "dark";
    const show = () => {
      button.textContent = dark() ? "Light colours" : "Dark colours";
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = dark() ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch {
        // As above.
      }
      show();
    });
    show();
  });
})();
