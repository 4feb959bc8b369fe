import type { IncomingMessage, ServerResponse } from "node:http";

import type { SpoilRule } from "../faults/standing.ts";
import type { Received, ReceivedCommand } from "../received.ts";
import { checkCaller, commandHeaders, header } from "./checks.ts";
import type { CommandHeaders } from "./checks.ts";
import { parseBody, readBody, sendJson } from "./http.ts";
import type { Idempotency } from "./idempotency.ts";
import { Refusal, refuse } from "./refusal.ts";
import type { Answer } from "./refusal.ts";
import type { Shard } from "./route.ts";
import { findRoute } from "./routes.ts";
import type { RouteMatch } from "./routes.ts";
import { needsAnswer, spoilAnswer } from "./spoilings.ts";

export interface ControlPlaneOptions {
  readonly shard: Shard;
  readonly token: string;
  readonly received: Received;
  readonly idempotency: Idempotency;
}

interface Outcome extends CommandHeaders {
  readonly answer: Answer | null;
  readonly body: unknown;
  readonly replayed: boolean;
  readonly carriedOut: boolean;
  readonly isCommand: boolean;
}

const unheard = { replayed: false, carriedOut: false };

/** The HTTP end of the sidecar: checks, answers, remembers and records each call. */
export function createControlPlane(options: ControlPlaneOptions) {
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> => {
    const { shard, received } = options;
    const url = new URL(path, "http://sidecar");
    const rule = shard.standing.takeRule(request.method ?? "", url.pathname);
    const outcome = await reach(request, url, rule, options);
    record(received, request, path, { outcome, spoiled: rule !== undefined, at: shard.clock() });
    const answer = outcome.answer ?? { status: 500, body: null };
    if (rule === undefined) sendJson(response, answer);
    else spoilAnswer[rule.spoiling](response, rule, answer);
  };
}

/** Carries the call out, unless a fault keeps it from getting so far. */
async function reach(
  request: IncomingMessage,
  url: URL,
  rule: SpoilRule | undefined,
  options: ControlPlaneOptions,
): Promise<Outcome> {
  const match = findRoute(request.method ?? "", url.pathname, options.shard.protocol);
  const isCommand = match !== undefined && match.route.nature !== "read";
  const raw = await readBody(request);
  if (rule && !rule.carryOut && !needsAnswer.has(rule.spoiling)) {
    return { ...unheard, ...peek(request, raw), isCommand, answer: null };
  }
  try {
    checkCaller(request, { token: options.token, protocol: options.shard.protocol });
    if (match === undefined) throw refuse(404, "NOT_FOUND");
    const heard = commandHeaders(request, match.route.nature);
    return { isCommand, ...carryOut(match, url, { heard, raw, path: url.pathname }, options) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...unheard, ...peek(request, raw), isCommand, answer: error.answer };
  }
}

interface Given {
  readonly heard: CommandHeaders;
  readonly raw: string;
  readonly path: string;
}

/** A key that was seen before is answered from memory, whether or not the plugin is there now. */
function carryOut(
  match: RouteMatch,
  url: URL,
  { heard, raw, path }: Given,
  { shard, idempotency }: ControlPlaneOptions,
): Omit<Outcome, "isCommand"> {
  const body = parseBody(raw);
  const known = { ...heard, body, replayed: false, carriedOut: false };
  const fingerprint = `${match.route.method} ${path} ${raw}`;
  const memory = heard.key === null ? undefined : idempotency.recall(heard.key, fingerprint);
  if (memory === "CONFLICT") return { ...known, answer: refuse(409, "CONFLICT").answer };
  if (memory !== undefined) return { ...known, replayed: true, answer: memory };
  const { route, params } = match;
  const attempt = tryAnswer(() => {
    checkState(match, shard);
    const { actor } = heard;
    const scene = shard.game.commandScene();
    return route.answer({ params, query: url.searchParams, body, actor, scene }, shard);
  });
  if (heard.key !== null) idempotency.remember(heard.key, fingerprint, attempt.answer);
  return { ...known, ...attempt };
}

function tryAnswer(answer: () => Answer): { answer: Answer; carriedOut: boolean } {
  try {
    return { answer: answer(), carriedOut: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: error.answer, carriedOut: false };
  }
}

/** What the shard as it is just now does not let through. */
function checkState({ route }: RouteMatch, { game, standing }: Shard): void {
  if (route.alone !== true && !game.running) throw refuse(503, "SHARD_DOWN");
  if (route.nature !== "command") return;
  if (standing.writesDisabled) throw refuse(403, "WRITES_DISABLED");
  if (standing.limited <= 0) return;
  standing.limited--;
  throw refuse(429, "LIMIT");
}

/** What a call that got nowhere had to say, for the record: as it came where it cannot be read. */
function peek(request: IncomingMessage, raw: string): CommandHeaders & Pick<Outcome, "body"> {
  try {
    return { ...commandHeaders(request, "request"), body: parseBody(raw) };
  } catch {
    return { key: header(request, "idempotency-key"), actor: null, body: raw };
  }
}

interface Recorded {
  readonly outcome: Outcome;
  readonly spoiled: boolean;
  readonly at: number;
}

function record(
  received: Received,
  request: IncomingMessage,
  path: string,
  { outcome, spoiled, at }: Recorded,
): void {
  const call = {
    method: request.method ?? "",
    path,
    requestId: header(request, "x-request-id"),
    at,
    status: spoiled ? null : (outcome.answer?.status ?? null),
  };
  received.calls.push(call);
  if (!outcome.isCommand) return;
  const { key, actor, body, replayed, carriedOut } = outcome;
  const command: ReceivedCommand = { ...call, key, actor, body, replayed, carriedOut };
  received.commands.push(command);
}
