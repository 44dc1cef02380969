// Writes src/generated from an OpenAPI document: `npm run generate -- openapi.json [FOLDER]`.
// The types are those of bodies, queries and results. Paths are left out, since every call is
// written by hand in src/resources, and with them what only the reference shows.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const HEAD = "// Generated from the OpenAPI document by scripts/generate.mjs. Do not edit.\n";
const ENVELOPES = /Answer$|^Error$|^ErrorDetail$/;

const GENERATED = join(dirname(fileURLToPath(import.meta.url)), "../src/generated");

const [source, folder = GENERATED] = process.argv.slice(2);
const document = JSON.parse(readFileSync(source, "utf8"));

write("api.ts", await types());
write("errors.ts", errors());
write("events.ts", events());

function write(name, text) {
  writeFileSync(join(folder, name), HEAD + text.trimEnd() + "\n");
}

async function types() {
  const found = { ...withoutEnvelopes(document.components.schemas), ...queries() };
  // Sorted, as the order of the reference's chapters is none of theirs.
  const schemas = Object.fromEntries(Object.entries(found).sort(([one], [other]) => (one < other ? -1 : 1)));
  const ast = await openapiTS(
    { openapi: "3.1.0", info: document.info, paths: {}, components: { schemas } },
    { defaultNonNullable: false, emptyObjectsUnknown: true, rootTypes: true, rootTypesNoSchemaPrefix: true },
  );
  return astToString(ast).replace(/^export type (paths|webhooks|operations|\$defs) = .*\n/gm, "");
}

function withoutEnvelopes(schemas) {
  const kept = Object.entries(schemas).filter(([name]) => !ENVELOPES.test(name));
  return Object.fromEntries(kept.map(([name, schema]) => [name, withoutForbidden({ ...schema, title: undefined })]));
}

/** A property that must be absent is in the document to explain its refusal. */
function withoutForbidden(schema) {
  if (!schema.properties) return schema;
  const kept = Object.entries(schema.properties).filter(([, property]) => !property.not);
  return { ...schema, properties: Object.fromEntries(kept) };
}

/** `GET /messages?to=…` takes a `GetMessagesQuery`. */
function queries() {
  const found = {};
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const fields = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    if (fields.length === 0) continue;
    const name = operation.operationId[0].toUpperCase() + operation.operationId.slice(1);
    found[`${name}Query`] = {
      type: "object",
      properties: Object.fromEntries(
        fields.map((field) => [field.name, { ...field.schema, description: field.description }]),
      ),
      required: fields.filter((field) => field.required).map((field) => field.name),
    };
  }
  return found;
}

function errors() {
  const all = document["x-errors"];
  const classes = all.map(
    ({ code, status, condition }) =>
      `/** ${status}: ${condition}. */\n` +
      `export class ${className(code)} extends TidingsError {\n` +
      `  declare readonly code: "${code}";\n}\n`,
  );
  const table = all.map(
    ({ code, remedy }) => `  ${code}: { type: ${className(code)}, action: ${JSON.stringify(remedy)} },\n`,
  );
  return (
    'import { TidingsError, type ErrorFields } from "../error.js";\n' +
    'import type { ErrorCode } from "./api.js";\n\n' +
    `${classes.join("\n")}\n` +
    "/** The class of each code, and what to do about it. */\n" +
    "export const ERRORS: Record<\n" +
    "  ErrorCode,\n" +
    "  { type: new (fields: ErrorFields) => TidingsError; action: string }\n" +
    `> = {\n${table.join("")}};\n`
  );
}

/** `INVALID_PHONE` is an InvalidPhoneError, `INTERNAL_ERROR` an InternalError. */
function className(code) {
  const words = code.replace(/_ERROR$/, "").toLowerCase().split("_");
  return `${words.map((word) => word[0].toUpperCase() + word.slice(1)).join("")}Error`;
}

function events() {
  const kinds = Object.entries(document.webhooks).map(([kind, { post }]) => {
    const { $ref } = post.requestBody.content["application/json"].schema;
    return { kind, name: $ref.split("/").at(-1) };
  });
  return (
    `import type {\n${kinds.map(({ name }) => `  ${name},\n`).join("")}} from "./api.js";\n\n` +
    "/** An event that Tidings posts to your webhook; `type` tells which, and so what `data` holds. */\n" +
    `export type WebhookEvent =\n${kinds.map(({ name }) => `  | ${name}\n`).join("").trimEnd()};\n\n` +
    "/** Every kind of event. */\n" +
    `export const EVENT_TYPES = [\n${kinds.map(({ kind }) => `  "${kind}",\n`).join("")}] as const;\n`
  );
}
