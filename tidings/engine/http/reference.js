"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;
  let spec;

  // Text only ever becomes text nodes: nothing of the description is read as markup.
  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }

  // `code` between backticks is the one mark that descriptions use.
  function prose(text) {
    return text.split(/(`[^`]+`)/).map((part) =>
      part.startsWith("`") ? make("code", {}, part.slice(1, -1)) : part);
  }

  function paragraphs(text) {
    return text.split(/\n\s*\n/).map((part) => make("p", {}, ...prose(part)));
  }

  function resolve(schema) {
    if (!schema || !schema.$ref) return schema || {};
    const found = schema.$ref.split("/").slice(1).reduce((at, name) => at[name], spec);
    const { $ref, ...own } = schema;
    return { ...found, ...own };
  }

  // What a type is, in a few words.
  function typeName(schema) {
    const type = resolve(schema);
    const choices = type.anyOf || type.oneOf;
    if (choices) return [...new Set(choices.map(typeName))].join(" or ");
    if ("const" in type) return JSON.stringify(type.const);
    if (type.type === "array") return "array of " + typeName(type.items || {});
    if (Array.isArray(type.type)) return type.type.join(" or ");
    if (type.enum) return "enum";
    return type.type || "any";
  }

  function limitsOf(schema) {
    const type = resolve(schema);
    const found = [];
    const span = (low, high, unit) => {
      if (low !== undefined && high !== undefined) found.push(`${low} to ${high} ${unit}`);
      else if (low !== undefined) found.push(`at least ${low} ${unit}`);
      else if (high !== undefined) found.push(`at most ${high} ${unit}`);
    };
    span(type.minLength, type.maxLength, "characters");
    span(type.minItems, type.maxItems, "items");
    const number = (value) => value === undefined ? undefined : value.toLocaleString("en");
    span(number(type.minimum), number(type.maximum), "");
    if (type.exclusiveMinimum !== undefined) found.push(`above ${type.exclusiveMinimum}`);
    if (type.exclusiveMaximum !== undefined) found.push(`below ${type.exclusiveMaximum}`);
    if (type.format) found.push(type.format);
    if (type.pattern) found.push(`matches ${type.pattern}`);
    if (type.default !== undefined) found.push(`default ${JSON.stringify(type.default)}`);
    if (type.items) found.push(...limitsOf(type.items).map((limit) => `each ${limit}`));
    return found.map((limit) => limit.trim());
  }

  function valuesOf(schema) {
    const type = resolve(schema);
    if (type.enum) return type.enum;
    return type.items ? valuesOf(type.items) : [];
  }

  // The objects inside a type: of itself, of its items, of its choices.
  function objectsIn(schema) {
    const type = resolve(schema);
    if (type.properties) return [type];
    if (type.items) return objectsIn(type.items);
    return (type.anyOf || type.oneOf || []).flatMap(objectsIn);
  }

  function fieldList(type, depth = 0) {
    const required = new Set(type.required || []);
    return make("ul", { class: "fields" }, Object.entries(type.properties || {}).map(
      ([name, schema]) => field(name, schema, required.has(name), depth)));
  }

  function field(name, schema, required, depth) {
    const type = resolve(schema);
    const limits = limitsOf(schema);
    const values = valuesOf(schema);
    const inner = depth < 6 ? objectsIn(schema) : [];
    return make("li", {},
      make("span", { class: "name" }, name),
      make("span", { class: "type" }, typeName(schema)),
      required ? make("span", { class: "must" }, "required") : null,
      type.description ? make("p", {}, ...prose(type.description)) : null,
      values.length ? make("p", { class: "limits" }, "One of ",
        ...values.flatMap((value, at) => [at ? ", " : "", make("code", {}, String(value))])) : null,
      limits.length ? make("p", { class: "limits" }, limits.join(" · ")) : null,
      inner.map((object) => make("details", { open: depth === 0 && inner.length === 1 },
        make("summary", {}, "Fields"), fieldList(object, depth + 1))));
  }

  function sample(text) {
    const button = make("button", { class: "copy", type: "button" }, "Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    return make("div", { class: "sample" }, button, make("pre", {}, text));
  }

  const titleOf = (path, operation) => (operation.summary || path).replace(/\.$/, "");
  const isKeyed = (operation) => !operation.security || operation.security.length > 0;
  const contentOf = (part) => part && part.content && part.content["application/json"];
  const bodyOf = (operation) => (contentOf(operation.requestBody) || {}).schema;
  const isSuccess = (status) => status.startsWith("2") || status.startsWith("3");

  function codeLinks(operation) {
    return Object.entries(operation["x-codes"] || {}).map(([status, codes]) => make("ul", { class: "codes" },
      make("li", { class: "number" }, status),
      codes.map((code) => make("li", {}, make("a", { href: "#" + code }, code)))));
  }

  function parameterLists(operation) {
    const titles = { path: "Path", query: "Query", header: "Headers" };
    return Object.entries(titles).flatMap(([place, title]) => {
      const found = (operation.parameters || []).filter((it) => it.in === place);
      if (!found.length) return [];
      return [make("h4", {}, title), make("ul", { class: "fields" }, found.map((it) =>
        field(it.name, { ...resolve(it.schema), description: it.description }, it.required, 0)))];
    });
  }

  function answers(operation) {
    const good = Object.entries(operation.responses).filter(([status]) => isSuccess(status));
    const described = good.map(([, response]) => contentOf(response)).filter(Boolean);
    const shown = described.find((content) => content.example);
    const named = good.map(([status, response]) => `${status} ${response.description}`).join(", ");
    return [
      make("h4", {}, "Answer"), make("p", { class: "note" }, named),
      shown ? sample(JSON.stringify(shown.example, null, 2)) : null,
      described.length ? make("details", {}, make("summary", {}, "All fields"),
        fieldList(resolve(described[0].schema))) : null,
    ];
  }

  function requests(operation) {
    const found = operation["x-codeSamples"] || [];
    return found.length ? [make("h4", {}, "Request"), ...found.map((it) => sample(it.source))] : [];
  }

  function pathText(path) {
    return make("span", { class: "path" }, path.split(/(\{[^}]+\})/).map((part) =>
      part.startsWith("{") ? make("b", {}, part) : part));
  }

  function operationView(method, path, operation) {
    const body = bodyOf(operation);
    return make("article", { class: "operation", id: operation.operationId },
      make("h3", {}, titleOf(path, operation)),
      make("div", { class: "line" },
        make("span", { class: `method ${method}` }, method.toUpperCase()), pathText(path),
        make("span", { class: "note" }, isKeyed(operation) ? "needs x-api-key" : "no key")),
      operation.description ? paragraphs(operation.description) : null,
      make("div", { class: "columns" },
        make("div", {}, parameterLists(operation),
          body ? [make("h4", {}, "Body"), fieldList(resolve(body))] : null,
          make("h4", {}, "Errors"), codeLinks(operation)),
        make("div", {}, requests(operation), answers(operation))));
  }

  function webhookView(kind, operation) {
    const schema = bodyOf(operation);
    return make("article", { class: "operation", id: operation.operationId },
      make("div", { class: "line" }, make("span", { class: "method hook" }, "POST"),
        make("span", { class: "path" }, kind)),
      make("p", {}, operation.summary),
      make("div", { class: "columns" },
        make("div", {}, make("h4", {}, "Body"), fieldList(resolve(schema))),
        make("div", {}, make("h4", {}, "Example"),
          sample(JSON.stringify(contentOf(operation.requestBody).example, null, 2)), parameterLists(operation))));
  }

  function everyOperation() {
    return Object.entries(spec.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })));
  }

  function navLink(href, badge, badgeClass, text, words) {
    return make("a", { href, "data-words": words.toLowerCase() },
      badge ? make("span", { class: `method ${badgeClass}` }, badge) : null,
      make("span", { class: "text" }, text));
  }

  function chapter(name) {
    const tag = (spec.tags || []).find((it) => it.name === name);
    return tag && tag.description ? make("p", { class: "note" }, ...prose(tag.description)) : null;
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
        $("nav").append(navLink("#" + operation.operationId, method.slice(0, 4).toUpperCase(), method,
          titleOf(path, operation), words.join(" ")));
      }
    }
  }

  function showWebhooks() {
    const hooks = Object.entries(spec.webhooks || {});
    if (!hooks.length) return;
    $("webhooks").hidden = false;
    $("nav").append(make("h2", {}, "Webhooks"));
    for (const [kind, { post }] of hooks) {
      $("webhooks").append(webhookView(kind, post));
      $("nav").append(navLink("#" + post.operationId, "HOOK", "hook", kind, kind));
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
      $("nav").append(navLink("#" + code, null, "", code, code));
      const found = [...(where[code] || [])];
      if (found.length && found.length < total / 2) {
        card.append(make("ul", { class: "codes" }, found.map((operation) =>
          make("li", {}, make("a", { href: "#" + operation.operationId }, titleOf(operation.operationId, operation))))));
      }
    }
  }

  function show() {
    const title = `${spec.info.title} API`;
    document.title = `${title} reference`;
    $("title").textContent = title;
    $("version").textContent = `v${spec.info.version}`;
    $("intro").replaceChildren(make("h1", {}, title),
      ...paragraphs(spec.info.description || ""),
      make("p", {}, "Base address ", make("code", {}, spec.servers[0].url), ". Give your key in the header ",
        make("code", {}, "x-api-key"), "."));
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
        links.get(target.id)?.classList.add("here");
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
    root.dataset.theme = kept || (dark ? "dark" : "light");
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
  }

  start();
})();
