import type { IncomingMessage } from "node:http";

import type { Actor } from "../received.ts";
import type { RouteKind } from "./plane-route.ts";
import { refuse, refuseField } from "./refusal.ts";

export interface Credentials {
  readonly token: string;
  readonly protocol: number;
}

/** Checks the token and the protocol version. This check comes before all others. */
export function checkCaller(request: IncomingMessage, { token, protocol }: Credentials): void {
  if (request.headers.authorization !== `Bearer ${token}`) throw refuse(401, "UNAUTHORIZED");
  const said = readRequestHeader(request, "x-bridge-protocol");
  const client = said !== null && /^\d{1,9}$/.test(said) ? Number(said) : null;
  if (client !== protocol) throw refuse(409, "PROTOCOL", { server: protocol, client });
  if (readRequestHeader(request, "x-request-id") === null) {
    throw refuseField("X-Request-Id", "is required");
  }
}

export interface CommandHeaders {
  readonly key: string | null;
  readonly actor: Actor | null;
}

/**
 * Reads the headers of a command or a read. A command requires an actor and an idempotency key; a
 * read forbids both.
 */
export function commandHeaders(request: IncomingMessage, nature: RouteKind): CommandHeaders {
  const key = readRequestHeader(request, "idempotency-key");
  const actor = readRequestHeader(request, "x-bridge-actor");
  if (nature === "read") {
    if (key !== null) throw refuseField("Idempotency-Key", "is not for reads");
    if (actor !== null) throw refuseField("X-Bridge-Actor", "is not for reads");
  }
  if (nature === "command") {
    if (key === null || key === "") throw refuseField("Idempotency-Key", "is required");
    if (actor === null) throw refuseField("X-Bridge-Actor", "is required");
  }
  return { key, actor: actor === null ? null : readActor(actor) };
}

export function readRequestHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}

function readActor(text: string): Actor {
  const fields = decode(text) as Partial<Record<keyof Actor, unknown>> | null;
  const { userId = null, username, role } = fields ?? {};
  const isUser = userId === null || Number.isSafeInteger(userId);
  if (!isUser || typeof username !== "string" || typeof role !== "string") {
    throw refuseField("X-Bridge-Actor", "must be base64url JSON of userId, username and role");
  }
  return { userId: userId as number | null, username, role };
}

function decode(text: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return null;
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
