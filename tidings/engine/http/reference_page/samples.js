// Samples: a tab for each language, with the reader's own key and ids in their places.

const LANGUAGE = "sample-language";
const KEY = "sandbox-key";
const IS_SANDBOX_KEY = /^td_sandbox_[A-Za-z0-9]{20,200}$/;
const TOKENS = {
  Shell: /(?<string>'[^']*')|(?<keyword>\bcurl\b)|(?<name>(?<=\s)-{1,2}[A-Za-z]+)/g,
  Python: /(?<string>"(?:[^"\\]|\\.)*")|(?<keyword>\b(?:from|import|for|in|with|as|open|print|True|False|None)\b)|(?<number>\b\d+(?:\.\d+)?\b)|(?<name>\b\w+(?==))/g,
  TypeScript: /(?<string>"(?:[^"\\]|\\.)*")|(?<keyword>\b(?:import|from|const|await|for|of|new|true|false|null)\b)|(?<number>\b\d+(?:\.\d+)?\b)|(?<name>\b\w+(?=: ))/g,
  JSON: /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")|(?<keyword>\b(?:true|false|null)\b)|(?<number>-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?\b)/g,
};

const known = new Map(); // placeholder -> the reader's own value
const watchers = new Set(); // called when a value or the language changes
let language = "curl";

function read(storage, name) {
  try { return window[storage].getItem(name); } catch { return null; /* private windows may refuse */ }
}

function keep(storage, name, value) {
  try { window[storage].setItem(name, value); } catch { /* as above: it holds until the page is left */ }
}

function learn(name, value) {
  if (!value || known.get(name) === value) return;
  known.set(name, value);
  watchers.forEach((watcher) => watcher());
}

// Only a pasted key is kept: that of the portal's session is asked for anew, for the session may
// have ended or changed to another account.
function pasteKey(key) {
  known.delete("ACCOUNT");
  keep("sessionStorage", KEY, key);
  learn("API_KEY", key);
}

function forgetKey() {
  known.delete("API_KEY");
  known.delete("ACCOUNT");
  try { sessionStorage.removeItem(KEY); } catch { /* as above */ }
  watchers.forEach((watcher) => watcher());
}

function watch(watcher) {
  watchers.add(watcher);
  watcher();
}

const filled = (text) => text.replace(/<([A-Z_]+)>/g, (whole, name) => known.get(name) || whole);

// What is still for the reader to replace is marked.
function marked(text) {
  return text.split(/(<[A-Z_]+>)/).map((part) => /^<[A-Z_]+>$/.test(part) ? make("mark", {}, part) : part);
}

function highlighted(text, lang) {
  const nodes = [];
  let at = 0;
  for (const token of text.matchAll(TOKENS[lang] || /$^/g)) {
    const kind = Object.keys(token.groups).find((name) => token.groups[name] !== undefined);
    nodes.push(marked(text.slice(at, token.index)), make("span", { class: `t-${kind}` }, marked(token[0])));
    at = token.index + token[0].length;
  }
  return [...nodes, marked(text.slice(at))];
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // without https there is no clipboard
    const field = make("textarea", { class: "unseen", readonly: true });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

function copyButton(text) {
  const button = make("button", { class: "copy", type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    await copy(text());
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  return button;
}

function code(title, text, lang) {
  const pre = make("pre", { tabindex: "0" }, highlighted(text, lang));
  return make("figure", { class: "code" }, make("figcaption", {}, make("span", {}, title), copyButton(() => text)), pre);
}

// Tabs of the same request; choosing a language chooses it for the whole page.
function samples(found) {
  const pre = make("pre", { tabindex: "0" });
  const chosen = () => found.find((it) => it.label === language) || found[0];
  const tabs = found.map((it) => {
    const tab = make("button", { type: "button", role: "tab" }, it.label);
    tab.addEventListener("click", () => chooseLanguage(it.label));
    return tab;
  });
  watch(() => {
    const sample = chosen();
    tabs.forEach((tab) => tab.setAttribute("aria-selected", String(tab.textContent === sample.label)));
    pre.replaceChildren(...highlighted(filled(sample.source), sample.lang).flat(Infinity));
  });
  return make("figure", { class: "code" },
    make("figcaption", {}, make("div", { role: "tablist", "aria-label": "Language" }, tabs),
      copyButton(() => filled(chosen().source))), pre);
}

function chooseLanguage(label) {
  language = label;
  keep("localStorage", LANGUAGE, label);
  watchers.forEach((watcher) => watcher());
}

// The field for the key, wherever it is needed. A live key is refused: a page must not send with it.
function keyField() {
  const input = make("input", { type: "text", placeholder: "td_sandbox_…", autocomplete: "off", spellcheck: "false", "aria-label": "Your sandbox key" });
  const note = make("p", { class: "note", role: "status" });
  const drop = make("button", { type: "button", class: "quiet" }, "Forget it");
  drop.addEventListener("click", () => { input.value = ""; forgetKey(); });
  input.addEventListener("input", () => {
    const given = input.value.trim();
    if (IS_SANDBOX_KEY.test(given)) pasteKey(given);
    else if (given.startsWith("td_live_")) note.textContent = "This is a live key. The page takes only keys of a sandbox.";
    else if (given) note.textContent = "A sandbox key begins with td_sandbox_.";
  });
  watch(() => {
    const key = known.get("API_KEY");
    if (key) input.value = key;
    drop.hidden = !key;
    note.textContent = key
      ? `In every sample, and used by "Try it"${known.get("ACCOUNT") ? `: the sandbox ${known.get("ACCOUNT")} of your portal session` : ""}. It stays in this tab.`
      : "Paste it once: it appears in every sample, and \"Try it\" sends with it. It stays in this tab.";
  });
  return make("div", { class: "key" }, make("div", { class: "row" }, input, drop), note);
}

// The key of the tab, or else of the portal's session, where there is one.
async function findKey() {
  language = read("localStorage", LANGUAGE) || language;
  const kept = read("sessionStorage", KEY);
  if (kept && IS_SANDBOX_KEY.test(kept)) return learn("API_KEY", kept);
  try {
    const answer = await fetch("portal/own-key.json", { headers: { "x-live": "1" } });
    if (answer.status !== 200) return;
    const { account, key } = await answer.json();
    if (known.has("API_KEY")) return; // pasted meanwhile
    known.set("ACCOUNT", account);
    learn("API_KEY", key);
  } catch { /* the portal is not served here */ }
}
