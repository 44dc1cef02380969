/** What the tests run in: a real service with the accounts of `make run`, and servers of our own. */
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { Tidings, type TidingsOptions } from "@tidings/client";

export const PARTNER_KEY = required("TIDINGS_PARTNER_KEY");
export const SECRET = required("TIDINGS_SIGNING_SECRET");
const CALLS = required("TIDINGS_CALLS"); // a line for each request, which pytest compares with the routes

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with pytest`);
  return value;
}

const recordingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.ok) appendFileSync(CALLS, `${init?.method} ${new URL(String(input)).pathname}\n`);
  return response;
};

/** Of the demo account, by TIDINGS_URL and TIDINGS_API_KEY as a caller's program has it. */
export function client(options: TidingsOptions = {}): Tidings {
  return new Tidings({ fetch: recordingFetch, ...options });
}

let count = 0;

/** A number that no other test sends to. */
export function guest(ending = "0000"): string {
  return `97250${String(++count).padStart(4, "0")}${ending}`;
}

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** A server that notes what it receives, and answers as told. Closed when the test ends. */
export async function listen(
  test: TestContext,
  answer: (request: Received, response: ServerResponse, count: number) => void,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    const one = { method, path: url, headers, body: Buffer.concat(chunks) };
    received.push(one);
    answer(one, response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** An address where nothing listens. */
export async function nowhere(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Waits until something is there, however slow the machine is. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
