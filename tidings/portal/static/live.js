// Pages that change by themselves: when something happens in the account, the page is fetched again
// and its elements marked data-live are brought up to date. Without this script a page is as it was
// when it was opened, and every form works.

const LIVE = "[data-live]";
const DEBOUNCE_MS = 300;
const SPACING_MS = 1000;
const RETRY_MS = [1000, 2000, 5000, 15000, 60000];

const page = {
  pending: null,
  fetchedAt: 0,
  again: null,
  changed: 0,

  // Soon, but not more than once a second, and not while nobody looks.
  refreshSoon(wait = DEBOUNCE_MS) {
    if (this.pending) return;
    const since = Date.now() - this.fetchedAt;
    this.pending = setTimeout(() => this.refresh(), Math.max(wait, SPACING_MS - since));
  },

  // Without an address it is the same page again: what a refused form said stays.
  async refresh(url) {
    clearTimeout(this.pending);
    this.pending = null;
    if (document.hidden) { this.stale = true; return; }
    this.fetchedAt = Date.now();
    const asked = ++this.changed;
    try {
      const answer = await fetch(url ?? location.href, { headers: { "x-live": "1" }, credentials: "same-origin" });
      const html = await answer.text();
      if (!answer.ok || answer.redirected || asked !== this.changed) return;
      this.show(html, url === undefined);
    } catch { /* the next event tries again */ }
  },

  show(html, keepsErrors = false) {
    const fresh = new DOMParser().parseFromString(html, "text/html");
    for (const element of document.querySelectorAll(LIVE)) {
      if (keepsErrors && element.querySelector(".error")) continue;
      const other = element.id && fresh.getElementById(element.id);
      if (other) morph(element, other);
    }
    document.dispatchEvent(new CustomEvent("live"));
    if (!keepsErrors) showErrors(fresh);
    this.askAgain();
  },

  // What is about to happen without an event of its own: the page says when to look again.
  askAgain() {
    clearTimeout(this.again);
    const waits = [...document.querySelectorAll("[data-live-again]")].map((e) => Number(e.dataset.liveAgain));
    if (waits.length) this.again = setTimeout(() => this.refresh(), Math.max(SPACING_MS, Math.min(...waits)));
  },
};

// Make `old` like `fresh` with as few changes as possible, so that focus, scrolling, open details
// and what is typed stay.
function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.dataset?.liveKeep !== undefined && fresh.dataset?.liveKeep !== undefined) return;
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) { old.replaceWith(document.importNode(fresh, true)); return; }
  if (old.nodeType !== Node.ELEMENT_NODE) { old.nodeValue = fresh.nodeValue; return; }
  morphAttributes(old, fresh);
  if (old.nodeName === "TEXTAREA") return;
  morphChildren(old, fresh);
}

function morphAttributes(old, fresh) {
  const keeps = (name) => (old.nodeName === "DETAILS" && name === "open") || name === "aria-busy";
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !keeps(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value && !keeps(name)) old.setAttribute(name, value);
}

function morphChildren(old, fresh) {
  const named = new Map([...old.children].filter((e) => e.id).map((e) => [e.id, e]));
  let at = old.firstChild;
  for (const other of [...fresh.childNodes]) {
    const same = other.id ? named.get(other.id) : null;
    if (same) {
      if (same === at) at = at.nextSibling; else old.insertBefore(same, at);
      morph(same, other);
    } else if (at && !at.id && !other.id && at.nodeName === other.nodeName) {
      const next = at.nextSibling;
      morph(at, other);
      at = next;
    } else {
      old.insertBefore(document.importNode(other, true), at);
    }
  }
  while (at) { const next = at.nextSibling; at.remove(); at = next; }
}

// Forms marked data-live-form are posted in the background; the page that they lead to is shown in
// place of this one's live elements.
async function post(form, submitter) {
  if (form.hasAttribute("aria-busy")) return;
  const body = new FormData(form, submitter);
  form.setAttribute("aria-busy", "true");
  ++page.changed;
  try {
    const plain = form.enctype === "multipart/form-data" ? body : new URLSearchParams(body);
    const answer = await fetch(addressOf(form), { method: "POST", body: plain, credentials: "same-origin" });
    const html = await answer.text();
    ++page.changed;  // a page that was asked for meanwhile is older than this one
    if (answer.ok) {
      if (answer.url) history.replaceState(null, "", answer.url);
      for (const field of form.querySelectorAll("[data-live-clear]")) field.value = "";
      page.fetchedAt = Date.now();
      page.show(html);
      announce(new DOMParser().parseFromString(html, "text/html").querySelector(".banner.done")?.textContent);
    } else if (answer.status === 422 || answer.status === 400) {
      page.show(html);
    } else {
      location.reload();
    }
  } catch {
    form.submit();
  } finally {
    form.removeAttribute("aria-busy");
    delete form.dataset.sent;
  }
}

// Not form.action, which is a field where a form has one of that name.
function addressOf(form) {
  return new URL(form.getAttribute("action"), location.href).href;
}

// The summary of a refused form stands under the heading, as it does on a page of its own.
function showErrors(fresh) {
  document.querySelector(".banner.failed")?.remove();
  const errors = fresh.querySelector(".banner.failed");
  if (!errors) return;
  document.querySelector(".heading")?.after(document.importNode(errors, true));
  document.querySelector(".banner.failed").focus();
}

function announce(text) {
  const region = document.getElementById("announcements");
  if (region && text) region.textContent = text.trim();
}

// One stream for all tabs of a browser: whoever holds the lock listens and tells the others.
const channel = "BroadcastChannel" in window ? new BroadcastChannel("tidings") : null;
let failures = 0;

function heard(event) {
  failures = 0;
  announce(`${event.type} ${event.summary}`);
  document.dispatchEvent(new CustomEvent("tidings", { detail: event }));
  page.refreshSoon();
}

function listen() {
  return new Promise((ended) => {
    const source = new EventSource("/portal/stream");
    source.onopen = () => {
      failures = 0;
      document.documentElement.dataset.stream = "open";
      page.refreshSoon(); // what happened since the page was made, or while the stream was lost
    };
    source.onmessage = ({ data }) => { const event = JSON.parse(data); channel?.postMessage(event); heard(event); };
    source.onerror = () => {
      delete document.documentElement.dataset.stream;
      if (source.readyState === EventSource.CLOSED) ended(); // refused; a lost stream comes back by itself
    };
    addEventListener("pagehide", () => { source.close(); ended(); }, { once: true });
  });
}

async function keepListening() {
  for (;;) {
    await listen();
    const wait = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
    await new Promise((again) => setTimeout(again, wait));
  }
}

if (document.querySelector(LIVE)) {
  channel?.addEventListener("message", ({ data }) => heard(data));
  if (channel && navigator.locks) navigator.locks.request("tidings stream", keepListening);
  else keepListening();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && page.stale) { page.stale = false; page.refreshSoon(0); }
  });
  page.askAgain();
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-live-form]")) return;
  event.preventDefault();
  post(event.target, event.submitter);
});

// What is chosen holds for forms at once, also for one that is sent before the page has changed.
document.addEventListener("input", (event) => {
  if (!event.target.form?.matches("[data-live-choice]")) return;
  const { name, value } = event.target;
  for (const other of document.querySelectorAll(`[data-live-form] [type=hidden][name="${name}"]`)) other.value = value;
});

// A field that chooses what the page shows: its form changes the address without leaving the page.
document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (!form?.matches("[data-live-choice]") || !form.reportValidity()) return;
  show(form);
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-live-choice]")) return;
  event.preventDefault();
  show(event.target);
});

function show(form) {
  const url = `${addressOf(form)}?${new URLSearchParams(new FormData(form))}`;
  if (url === location.href) return;
  history.pushState(null, "", url);
  page.refresh(url);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-live-link]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  page.refresh(link.href);
});

addEventListener("popstate", () => page.refresh(location.href));
