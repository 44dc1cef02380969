// Small improvements of pages that work without them: copying, times in the reader's zone, rows
// that are one link, and focus on the summary of errors.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `tidings_zone=${zone}; Path=/portal; SameSite=Lax; Max-Age=31536000${secure}`;
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
    } catch {
      const field = document.createElement("textarea");
      field.value = button.dataset.copy;
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
    button.classList.add("copied");
    button.setAttribute("aria-label", `${label} ✓`);
    setTimeout(() => {
      button.classList.remove("copied");
      button.removeAttribute("aria-label");
    }, 1500);
  });

  document.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-href]");
    if (!row || event.target.closest("a, button, input, summary")) return;
    if (String(getSelection())) return;
    location.href = row.dataset.href;
  });

  // A form that is being sent is not sent twice by an impatient click.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) event.preventDefault();
    else form.dataset.sent = "yes";
    setTimeout(() => delete form.dataset.sent, 3000);
  });

  const summary = document.querySelector(".banner.failed[tabindex]");
  if (summary) summary.focus();
})();
