import type { IncomingMessage, ServerResponse } from "node:http";

import { refuse } from "./refusal.ts";
import type { ControlAnswer } from "./refusal.ts";

/** A limit that exceeds each body of the protocol. */
const largestBody = 32 * 1024 * 1024;

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestBody) throw refuse(413, "TOO_LARGE");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Parses a JSON body. @returns undefined if the body is empty */
export function parseBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(400, "INVALID", { field: "body", reason: "is not JSON" });
  }
}

/** Sends an answer: JSON, or the bytes of a file. */
export function sendAnswer(response: ServerResponse, answer: ControlAnswer): void {
  if (answer.file === undefined) return sendJson(response, answer);
  const { bytes, headers } = answer.file;
  response.writeHead(answer.status, { ...headers, "content-length": bytes.length });
  response.end(bytes);
}

export function sendJson(response: ServerResponse, { status, body }: ControlAnswer): void {
  sendText(response, status, "application/json; charset=utf-8", JSON.stringify(body));
}

export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
