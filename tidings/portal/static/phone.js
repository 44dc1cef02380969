// A form on the phone as a flow of screens: one question at a time. Without this script all of them
// stand below each other.
function toScreens(form) {
  const screens = [...form.querySelectorAll(".screen")];
  const button = (name) => form.querySelector(`[data-screen="${name}"]`);
  let at = 0;

  function show(next, focus) {
    at = next;
    screens.forEach((screen, index) => { screen.hidden = index !== at; });
    button("back").hidden = at === 0;
    button("next").hidden = at === screens.length - 1;
    button("send").hidden = at !== screens.length - 1;
    form.dataset.step = `${at + 1} / ${screens.length}`;
    if (focus) screens[at].querySelector("input, textarea")?.focus();
  }

  button("back").addEventListener("click", () => show(at - 1, true));
  button("next").addEventListener("click", () => show(at + 1, true));
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.matches("textarea, button") || at === screens.length - 1) return;
    event.preventDefault();
    show(at + 1, true);
  });
  form.dataset.screens = "shown";
  show(0, true);
}

function openSheets() {
  for (const form of document.querySelectorAll('form[data-screens=""]')) toScreens(form);
}

openSheets();
document.addEventListener("live", openSheets);
