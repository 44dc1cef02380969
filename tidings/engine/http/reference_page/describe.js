// Turns the description into nodes: text, types, fields. Text only ever becomes text nodes, so
// nothing of the description is read as markup.

const $ = (id) => document.getElementById(id);
let spec;

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// `code` between backticks is the one mark that descriptions use.
function prose(text) {
  return text.split(/(`[^`]+`)/).map((part) =>
    part.startsWith("`") ? make("code", {}, part.slice(1, -1)) : part);
}

const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => make("p", {}, prose(part)));

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
  if (type.enum && type.type !== "boolean") return "enum";
  if (type.format === "date-time") return "time";
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
  if (type.pattern && !type.description) found.push(`matches ${type.pattern}`);
  if (type.default !== undefined) found.push(`default ${JSON.stringify(type.default)}`);
  if (type.items) found.push(...limitsOf(type.items).map((limit) => `each ${limit}`));
  return found.map((limit) => limit.trim());
}

function valuesOf(schema) {
  const type = resolve(schema);
  if (type.enum) return type.type === "boolean" ? [] : type.enum;
  const choices = (type.anyOf || []).map(resolve).filter((it) => it.type !== "null");
  if (choices.length === 1) return valuesOf(choices[0]);
  return type.items ? valuesOf(type.items) : [];
}

// The objects inside a type: of itself, of its items, of its choices.
function objectsIn(schema) {
  const type = resolve(schema);
  if (type.properties) return [type];
  if (type.items) return objectsIn(type.items);
  return (type.anyOf || type.oneOf || []).flatMap(objectsIn);
}

// `isAnswer`: what we send. There a field that is always present needs no word.
function fieldList(type, isAnswer = false, depth = 0) {
  const required = new Set(type.required || []);
  return make("ul", { class: "fields" }, Object.entries(type.properties || {}).map(
    ([name, schema]) => field(name, schema, required.has(name), isAnswer, depth)));
}

function presence(required, isAnswer) {
  if (isAnswer) return required ? null : make("span", { class: "may" }, "may be absent");
  return required ? make("span", { class: "must" }, "required") : null;
}

function field(name, schema, required, isAnswer = false, depth = 0) {
  const type = resolve(schema);
  const limits = limitsOf(schema);
  const values = valuesOf(schema);
  const inner = depth < 6 ? objectsIn(schema) : [];
  return make("li", {},
    make("span", { class: "name" }, name),
    make("span", { class: "type" }, typeName(schema)),
    presence(required, isAnswer),
    type.description ? make("p", {}, prose(type.description)) : null,
    values.length ? make("p", { class: "limits" }, "One of ",
      values.map((value, at) => [at ? ", " : "", make("code", {}, String(value))])) : null,
    limits.length ? make("p", { class: "limits" }, limits.join(" · ")) : null,
    inner.map((object) => make("details", { open: depth === 0 && inner.length === 1 },
      make("summary", {}, object.description && inner.length > 1 ? object.description.replace(/\.$/, "") : "Fields"),
      fieldList(object, isAnswer, depth + 1))));
}
