// Before the page is drawn, so that it does not flash: the look that was chosen, here or in the reference.
try {
  const kept = localStorage.getItem("theme");
  if (kept === "dark" || kept === "light") document.documentElement.dataset.theme = kept;
} catch { /* private windows may refuse */ }
