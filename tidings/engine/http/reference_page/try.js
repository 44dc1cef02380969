// "Try it": sends the request of an endpoint with the reader's sandbox key, and shows the answer.

// What an answer tells, later requests take.
const LEARNT = { batchId: "BATCH_ID", code: "LINK_CODE", webhookId: "WEBHOOK_ID" };

function tryIt(method, path, operation) {
  const panel = make("details", { class: "try" }, make("summary", {}, "Try it"));
  panel.addEventListener("toggle", () => {
    if (panel.open && panel.children.length === 1) panel.append(tryForm(method, path, operation));
  });
  return panel;
}

function tryForm(method, path, operation) {
  const inputs = (operation.parameters || []).filter((it) => it.in !== "header").map(parameterInput);
  const example = (contentOf(operation.requestBody) || {}).example;
  const body = operation.requestBody ? make("textarea", { spellcheck: "false", "aria-label": "Body" }) : null;
  if (body) {
    body.value = JSON.stringify(example || {}, null, 2);
    body.rows = Math.min(20, body.value.split("\n").length + 1);
  }
  const dry = isDryRun(operation) ? make("input", { type: "checkbox" }) : null;
  const result = make("div", { class: "result", "aria-live": "polite" });
  const button = make("button", { class: "send" }, "Send");
  const form = make("form", {},
    isKeyed(operation) ? make("div", { class: "labelled" }, make("span", {}, "Sandbox key"), keyField()) : null,
    inputs.map((it) => it.node),
    body ? make("label", { class: "labelled" }, make("span", {}, "Body"), body) : null,
    dry ? make("label", { class: "check" }, dry, "Dry run: say what would happen, and do nothing") : null,
    button, result);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const request = requestOf(method, path, inputs, body, dry, isKeyed(operation));
      result.replaceChildren(...await answerTo(request));
    } catch (fault) {
      result.replaceChildren(make("p", { class: "fault" }, fault.message));
    }
    button.disabled = false;
  });
  return form;
}

function isDryRun(operation) {
  return (operation.parameters || []).some((it) => it.name === "X-Dry-Run" && !isRefused(it));
}

function parameterInput(parameter) {
  const values = valuesOf(parameter.schema);
  const input = values.length
    ? make("select", {}, ["", ...values].map((value) => make("option", {}, value)))
    : make("input", { type: "text", autocomplete: "off", spellcheck: "false", placeholder: parameter.required ? "required" : "" });
  const given = parameter.example === undefined ? "" : String(parameter.example);
  watch(() => { if (!input.value) input.value = filled(given).startsWith("<") ? "" : filled(given); });
  const node = make("label", { class: "labelled" }, make("span", {}, parameter.name), input);
  return { node, parameter, value: () => input.value.trim() };
}

function requestOf(method, path, inputs, body, dry, keyed) {
  const headers = {};
  const query = new URLSearchParams();
  for (const { parameter, value } of inputs) {
    if (!value() && parameter.required) throw new Error(`${parameter.name} is required.`);
    if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, encodeURIComponent(value()));
    else if (value()) query.set(parameter.name, value());
  }
  if (keyed) {
    if (!known.has("API_KEY")) throw new Error("Paste your sandbox key first: the portal shows it on its first page.");
    headers["x-api-key"] = known.get("API_KEY");
  }
  if (dry && dry.checked) headers["x-dry-run"] = "true";
  if (body) headers["content-type"] = "application/json";
  const search = query.size ? `?${query}` : "";
  return { url: path.slice(1) + search, options: { method: method.toUpperCase(), headers, body: body ? filled(body.value) : undefined, credentials: "omit" } };
}

async function answerTo({ url, options }) {
  const answer = await fetch(url, options);
  const type = answer.headers.get("content-type") || "";
  const isText = type.includes("json") || type.startsWith("text/");
  const text = isText ? await answer.text() : `${(await answer.blob()).size} bytes of ${type}`;
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  let shown = text;
  if (type.includes("json")) {
    const found = JSON.parse(text);
    shown = JSON.stringify(found, null, 2);
    remember(found.data);
  }
  return [
    make("p", { class: `status-line ${answer.ok ? "good" : "fault"}` }, `${answer.status} ${answer.statusText}`.trim()),
    code("Body", shown, type.includes("json") ? "JSON" : ""),
    make("details", {}, make("summary", {}, "Headers"), make("pre", { class: "headers" }, headers)),
  ];
}

function remember(data) {
  const first = Array.isArray(data) ? data[0] : data;
  if (!first || typeof first !== "object") return;
  for (const [name, placeholder] of Object.entries(LEARNT)) {
    if (typeof first[name] === "string") learn(placeholder, first[name]);
  }
}
