import type { IncomingMessage, ServerResponse } from "node:http";

import type { AnswerFaultRule } from "../faults/standing.ts";
import type { ReceivedLog, ReceivedCommand } from "../received.ts";
import { checkCaller, commandHeaders, readRequestHeader } from "./checks.ts";
import type { CommandHeaders } from "./checks.ts";
import type { Effects } from "./effects.ts";
import { parseBody, readBody, sendAnswer } from "./http.ts";
import type { Idempotency, KeyedAnswer } from "./idempotency.ts";
import type { FindRoute, ControlPlaneHost, RouteMatch } from "./plane-route.ts";
import { Refusal, refuse } from "./refusal.ts";
import type { ControlAnswer } from "./refusal.ts";
import { needsAnswer, spoilAnswer } from "./spoilings.ts";

export interface ControlPlaneOptions<H extends ControlPlaneHost> {
  readonly host: H;
  readonly findRoute: FindRoute<H>;
  readonly token: string;
  readonly received: ReceivedLog;
  readonly idempotency: Idempotency;
  readonly effects: Effects;
}

interface CallOutcome extends CommandHeaders {
  readonly answer: ControlAnswer | null;
  readonly body: unknown;
  readonly replayed: boolean;
  readonly carriedOut: boolean;
  readonly isCommand: boolean;
}

const unheard = { replayed: false, carriedOut: false };

/** Creates the HTTP side of the sidecar. It checks, executes, answers and records each call. */
export function createControlPlane<H extends ControlPlaneHost>(options: ControlPlaneOptions<H>) {
  return async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> => {
    const { host, received } = options;
    const url = new URL(path, "http://sidecar");
    const rule = host.standing.takeRule(request.method ?? "", url.pathname);
    const outcome = await reach(request, url, rule, options);
    record(received, request, path, { outcome, spoiled: rule !== undefined, at: host.clock() });
    const answer = outcome.answer ?? { status: 500, body: null };
    if (rule === undefined) sendAnswer(response, answer);
    else spoilAnswer[rule.spoiling](response, rule, answer, host.standing);
  };
}

/** Answers a call, unless a fault prevents the execution. */
async function reach<H extends ControlPlaneHost>(
  request: IncomingMessage,
  url: URL,
  rule: AnswerFaultRule | undefined,
  options: ControlPlaneOptions<H>,
): Promise<CallOutcome> {
  const match = options.findRoute(request.method ?? "", url.pathname, options.host.protocol);
  const isCommand = match !== undefined && match.route.nature !== "read";
  const raw = await readBody(request);
  if (rule && !rule.carryOut && !needsAnswer.has(rule.spoiling)) {
    return { ...unheard, ...peek(request, raw), isCommand, answer: null };
  }
  try {
    checkCaller(request, { token: options.token, protocol: options.host.protocol });
    if (match === undefined) throw refuse(404, "NOT_FOUND");
    const heard = commandHeaders(request, match.route.nature);
    return {
      isCommand,
      ...(await carryOut(match, url, { heard, raw, path: url.pathname }, options)),
    };
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

/**
 * Executes a call. If its key is known, the stored answer is sent, even if the game does not run.
 */
async function carryOut<H extends ControlPlaneHost>(
  match: RouteMatch<H>,
  url: URL,
  { heard, raw, path }: Given,
  { host, idempotency, effects }: ControlPlaneOptions<H>,
): Promise<Omit<CallOutcome, "isCommand">> {
  const { key, actor } = heard;
  const body = parseBody(raw);
  const { route, params } = match;
  let carriedOut = false;
  const act = (): Promise<ControlAnswer> =>
    tryAnswer(async () => {
      if (route.alone !== true) await host.game.untilFree();
      checkState(match, host);
      const answer = route.answer({ params, query: url.searchParams, body, actor, key }, host);
      carriedOut = true;
      const { method } = route;
      if (key !== null) effects.note({ key, method, path, at: host.clock() });
      return answer;
    });
  const call = `${route.method} ${path} ${raw}`;
  const outcome =
    key === null
      ? act().then((answer) => ({ answer, replayed: false }))
      : idempotency.once(key, call, act);
  const { answer, replayed } = await withPatience(outcome, host.standing.patienceMs);
  return { ...heard, body, answer, replayed, carriedOut };
}

async function tryAnswer(answer: () => Promise<ControlAnswer>): Promise<ControlAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}

const tired: KeyedAnswer = { answer: refuse(503, "SHARD_DOWN").answer, replayed: false };

/** Waits at most `ms` milliseconds for a command. The command continues after the timeout. */
async function withPatience(outcome: Promise<KeyedAnswer>, ms: number): Promise<KeyedAnswer> {
  if (ms === 0) return outcome;
  const { promise, resolve } = Promise.withResolvers<KeyedAnswer>();
  const timer = setTimeout(() => resolve(tired), ms);
  try {
    return await Promise.race([outcome, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Refuses a call that is not possible in the game's present state. */
function checkState<H extends ControlPlaneHost>(
  { route }: RouteMatch<H>,
  { game, standing }: ControlPlaneHost,
): void {
  if (route.alone !== true && !game.running) throw refuse(503, "SHARD_DOWN");
  if (route.nature !== "command") return;
  if (standing.writesDisabled) throw refuse(403, "WRITES_DISABLED");
  if (standing.limited <= 0) return;
  standing.limited--;
  throw refuse(429, "LIMIT");
}

/**
 * Reads the headers and the body of a failed call for its record. A body that cannot be parsed is
 * recorded as text.
 */
function peek(request: IncomingMessage, raw: string): CommandHeaders & Pick<CallOutcome, "body"> {
  try {
    return { ...commandHeaders(request, "request"), body: parseBody(raw) };
  } catch {
    return { key: readRequestHeader(request, "idempotency-key"), actor: null, body: raw };
  }
}

interface Recorded {
  readonly outcome: CallOutcome;
  readonly spoiled: boolean;
  readonly at: number;
}

function record(
  received: ReceivedLog,
  request: IncomingMessage,
  path: string,
  { outcome, spoiled, at }: Recorded,
): void {
  const call = {
    method: request.method ?? "",
    path,
    requestId: readRequestHeader(request, "x-request-id"),
    at,
    status: spoiled ? null : (outcome.answer?.status ?? null),
  };
  received.calls.push(call);
  if (!outcome.isCommand) return;
  const { key, actor, body, replayed, carriedOut } = outcome;
  const command: ReceivedCommand = { ...call, key, actor, body, replayed, carriedOut };
  received.commands.push(command);
}
