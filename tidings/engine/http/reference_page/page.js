// The page: contents, endpoints, events and errors, from the OpenAPI document.

const root = document.documentElement;

const titleOf = (path, operation) => (operation.summary || path).replace(/\.$/, "");
const isKeyed = (operation) => !operation.security || operation.security.length > 0;
const contentOf = (part) => part && part.content && part.content["application/json"];
const bodyOf = (operation) => (contentOf(operation.requestBody) || {}).schema;
const isSuccess = (status) => status.startsWith("2") || status.startsWith("3");

const isRefused = (parameter) => (parameter.description || "").startsWith("Not available");
const errorOf = (code) => (spec["x-errors"] || []).find((it) => it.code === code) || {};

function codeLinks(operation) {
  return Object.entries(operation["x-codes"] || {}).map(([status, codes]) => make("ul", { class: "codes" },
    make("li", { class: "number" }, status),
    codes.map((code) => make("li", {}, make("a", { href: `guide/errors/${code}`, title: errorOf(code).condition }, code)))));
}

function parameterLists(operation, places = ["header"]) {
  const titles = { path: "Path", query: "Query", header: "Headers" };
  return places.flatMap((place) => {
    const found = (operation.parameters || []).filter((it) => it.in === place && !isRefused(it));
    if (!found.length) return [];
    return [make("h4", {}, titles[place]), make("ul", { class: "fields" }, found.map((it) =>
      field(it.name, { ...resolve(it.schema), description: it.description }, it.required)))];
  });
}

function answers(operation) {
  const good = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
  const described = good.filter(([, response]) => contentOf(response));
  const shown = described.find(([, response]) => contentOf(response).example);
  const named = good.map(([status, response]) => `${status} ${response.description}`).join(", ");
  return [
    shown ? code(`Response ${shown[0]}`, JSON.stringify(contentOf(shown[1]).example, null, 2), "JSON")
      : make("p", { class: "note" }, `Response: ${named}`),
  ];
}

// The fields of `data`; the envelope around it is the same everywhere.
function answerFields(operation) {
  const found = Object.entries(operation.responses).filter(([status, it]) => isSuccess(status) && contentOf(it));
  if (!found.length) return null;
  const statuses = Object.entries(operation.responses).filter(([status]) => isSuccess(status))
    .map(([status, it]) => `${status} ${it.description}`).join(", ");
  const schema = resolve(contentOf(found[0][1]).schema);
  if (!schema.properties) return null;
  const headers = Object.entries(found[0][1].headers || {}).map(([name, header]) =>
    field(name, { ...resolve(header).schema, description: resolve(header).description }, true, true));
  return make("details", { class: "answer" }, make("summary", {}, "Response", make("span", { class: "note" }, statuses)),
    fieldList(schema, true), make("h4", {}, "Headers of the response"), make("ul", { class: "fields" }, headers));
}

function requests(method, path, operation) {
  const found = operation["x-codeSamples"] || [];
  if (!found.length) return [];
  const isCalled = path.startsWith("/api/") || path.startsWith("/sandbox/");
  return [samples(found), isCalled ? tryIt(method, path, operation) : null];
}

function pathText(path) {
  return make("span", { class: "path" }, path.split(/(\{[^}]+\})/).map((part) =>
    part.startsWith("{") ? make("b", {}, part) : part));
}

function anchor(id) {
  return make("a", { class: "anchor", href: "#" + id, "aria-label": "Link to this" }, "#");
}

function operationView(method, path, operation) {
  const body = bodyOf(operation);
  return make("article", { class: "operation", id: operation.operationId },
    make("div", { class: "columns" },
      make("div", { class: "said" },
        make("h3", {}, titleOf(path, operation), anchor(operation.operationId)),
        make("div", { class: "line" },
          make("span", { class: `method ${method}` }, method.toUpperCase()), pathText(path),
          isKeyed(operation) ? null : make("span", { class: "note" }, "no key needed")),
        operation.description ? paragraphs(operation.description) : null,
        parameterLists(operation, ["path", "query"]),
        body ? [make("h4", {}, "Body"), fieldList(resolve(body))] : null,
        parameterLists(operation, ["header"]),
        answerFields(operation),
        make("h4", {}, "Errors"), codeLinks(operation)),
      make("div", { class: "shown" }, make("div", { class: "sticky" },
        requests(method, path, operation), answers(operation)))));
}

function webhookView(kind, operation) {
  const schema = bodyOf(operation);
  const data = resolve(resolve(schema).properties.data);
  return make("article", { class: "operation", id: operation.operationId },
    make("div", { class: "columns" },
      make("div", { class: "said" },
        make("h3", { class: "kind" }, kind, anchor(operation.operationId)),
        paragraphs(operation.description),
        make("p", {}, make("a", { href: `guide/events/${kind}` }, "More about this event")),
        make("h4", {}, "data"), fieldList(data, true),
        make("details", { class: "answer" }, make("summary", {}, "Envelope and headers"),
          fieldList(resolve(schema), true, 1), parameterLists(operation))),
      make("div", { class: "shown" }, make("div", { class: "sticky" },
        code("Posted to you", JSON.stringify(contentOf(operation.requestBody).example, null, 2), "JSON")))));
}

function everyOperation() {
  return Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));
}

function navLink(href, badge, badgeClass, text, words, kind) {
  return make("a", { href, class: kind, "data-words": words.toLowerCase() },
    badge ? make("span", { class: `method ${badgeClass}` }, badge) : null,
    make("span", { class: "text" }, text));
}

function chapter(name) {
  const tag = (spec.tags || []).find((it) => it.name === name);
  return tag && tag.description ? make("p", { class: "lead" }, prose(tag.description)) : null;
}

function showOperations() {
  const all = everyOperation();
  const tags = [...(spec.tags || []).map((tag) => tag.name), ""];
  for (const tag of tags) {
    const found = all.filter(({ operation }) => ((operation.tags || [])[0] || "") === tag);
    if (!found.length) continue;
    $("nav").append(make("h2", {}, tag || "Other"));
    $("operations").append(make("section", { id: `chapter-${(tag || "other").toLowerCase()}` }, make("h2", {}, tag || "Other"),
      chapter(tag),
      found.map(({ method, path, operation }) => operationView(method, path, operation))));
    for (const { method, path, operation } of found) {
      const words = [path, operation.summary, JSON.stringify(bodyOf(operation) && resolve(bodyOf(operation)).properties || "")];
      $("nav").append(navLink("#" + operation.operationId, method === "delete" ? "DEL" : method.toUpperCase(), method,
        titleOf(path, operation), words.join(" ")));
    }
  }
}

function showWebhooks() {
  const hooks = Object.entries(spec.webhooks || {});
  if (!hooks.length) return;
  $("webhooks").hidden = false;
  $("nav").append(make("h2", {}, "Events posted to you"));
  for (const [kind, { post }] of hooks) {
    $("webhooks").append(webhookView(kind, post));
    $("nav").append(navLink("#" + post.operationId, null, "", kind, `${kind} ${post.description}`, "mono"));
  }
}

function showErrors() {
  const where = {};
  for (const { operation } of everyOperation()) {
    for (const code of Object.values(operation["x-codes"] || {}).flat()) (where[code] ||= new Set()).add(operation);
  }
  const total = everyOperation().length;
  $("nav").append(make("h2", {}, "Errors"));
  for (const card of document.querySelectorAll(".error")) {
    const code = card.dataset.code;
    $("nav").append(navLink("#" + code, null, "", code, `${code} ${errorOf(code).condition}`, "mono"));
    const found = [...(where[code] || [])];
    if (found.length && found.length < total / 2) {
      card.append(make("ul", { class: "codes" }, found.map((operation) =>
        make("li", {}, make("a", { href: "#" + operation.operationId }, titleOf(operation.operationId, operation))))));
    }
  }
}

function show() {
  const title = `${spec.info.title} API`;
  document.title = `API reference · ${spec.info.title}`;
  $("intro").replaceChildren(make("div", { class: "columns" },
    make("div", { class: "said" }, make("h1", {}, title), paragraphs(spec.info.description || ""),
      make("p", { class: "note" }, `Version ${spec.info.version} · `, make("a", { href: "api/v1/openapi.json" }, "OpenAPI 3.1"))),
    make("div", { class: "shown" },
      code("Base address", spec.servers[0].url, ""),
      make("div", { class: "card" }, make("h2", {}, "Your sandbox key"), keyField()))));
  showOperations();
  showWebhooks();
  showErrors();
}

// The page grew under the reader: go where the address points.
function goToHash() {
  const target = location.hash && $(decodeURIComponent(location.hash.slice(1)));
  if (target) target.scrollIntoView({ behavior: "instant" });
}

function followReader() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting) continue;
      document.querySelectorAll("nav a.here").forEach((link) => link.classList.remove("here"));
      const link = links.get(target.id);
      if (!link) continue;
      link.classList.add("here");
      const box = $("nav");
      const isHidden = link.offsetTop < box.scrollTop || link.offsetTop > box.scrollTop + box.clientHeight - 60;
      if (isHidden) box.scrollTop = link.offsetTop - box.clientHeight / 3;
    }
  }, { rootMargin: "-10% 0px -80% 0px" });
  document.querySelectorAll(".operation, .error").forEach((node) => watcher.observe(node));
}

function filter() {
  const wanted = $("find").value.trim().toLowerCase();
  let heading = null;
  for (const node of $("nav").children) {
    if (node.tagName === "H2") { heading = node; heading.hidden = true; continue; }
    node.hidden = !node.dataset.words.includes(wanted);
    if (!node.hidden && heading) heading.hidden = false;
  }
}

function setTheme(theme) {
  root.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* private windows may refuse */ }
}

function startTheme() {
  let kept = null;
  try { kept = localStorage.getItem("theme"); } catch { /* as above */ }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = kept === "dark" || kept === "light" ? kept : dark ? "dark" : "light";
  $("theme").addEventListener("click", () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"));
}

async function start() {
  startTheme();
  const toggle = (open) => {
    $("nav").classList.toggle("open", open);
    $("menu").setAttribute("aria-expanded", String($("nav").classList.contains("open")));
  };
  $("menu").addEventListener("click", () => toggle());
  $("nav").addEventListener("click", () => toggle(false));
  $("find").addEventListener("input", () => { filter(); if ($("find").value) toggle(true); });
  document.addEventListener("keydown", (event) => {
    const writes = event.target.closest("input, textarea, select");
    if (event.key === "/" && !writes && !event.ctrlKey && !event.metaKey) { event.preventDefault(); $("find").focus(); }
  });
  try {
    const answer = await fetch("api/v1/openapi.json");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    spec = await answer.json();
    show();
  } catch (error) {
    $("intro").replaceChildren(make("p", { class: "fault" }, `The description could not be loaded (${error.message}). Reload to try again.`));
    return;
  }
  followReader();
  goToHash();
  await findKey();
}

start();
