import express, { type Request, type RequestHandler, type Response } from "express";
import type Joi from "joi";

import type { Caller } from "../../shared/auth/caller.ts";
import { AppError, invalid } from "../../shared/errors.ts";
import type { ApiContext } from "../context.ts";
import { Answer, alreadySent } from "./answer.ts";
import { askForToken, authenticate } from "./authenticate.ts";
import { readBody } from "./body.ts";
import { setCaching, setDeprecation } from "./caching.ts";
import { checkBody, checkText } from "./checks.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { needsSession, passGate } from "./gates.ts";
import { KeptAnswers } from "./kept-answers.ts";
import { countCallerLimits, countLimits } from "./limiters.ts";
import { literalFirst } from "./literal-first.ts";
import { refuseOtherMethods } from "./method-refusals.ts";
import { noteRefusal } from "./note-refusal.ts";
import type { Gate, Input, Route } from "./route.ts";
import { passSiteMode } from "./site-gate.ts";

/**
 * Answers every declared route. Literal segments win over parameters, whatever the list's order.
 * A path that is literal as a whole is looked up; Express would try all patterns before it.
 */
export function createRouter(routes: readonly Route[], context: ApiContext): RequestHandler {
  const router = express.Router({ caseSensitive: true, strict: false });
  const literal = new Map<string, RequestHandler>();
  for (const route of literalFirst(routes)) {
    const answer = serve(route, context);
    router[route.method](route.path, answer);
    if (!route.path.includes(":")) {
      literal.set(`${route.method.toUpperCase()} ${route.path}`, answer);
    }
  }
  refuseOtherMethods(router, routes);
  return (request, response, next) => {
    const answer = literal.get(`${request.method} ${request.path}`) ?? router;
    return answer(request, response, next);
  };
}

/**
 * One request from limit to answer. The order is the contract's order of refusal: site mode, limits,
 * sign-in, cross-site, gate, limits of users and of what is done, malformed id, unknown thing, body,
 * fields.
 */
function serve(route: Route, context: ApiContext): RequestHandler {
  const kept = route.keepMs === undefined ? undefined : new KeptAnswers(route.keepMs);
  return async (request, response) => {
    response.locals["route"] = route;
    setDeprecation(route, request, response);
    await passSiteMode(route, request, context);
    await countLimits(route, request, context);
    const caller = await admit(route, request, context);
    setCaching(route, caller, response);
    const handle = () => answerOrNote(route, { request, response, caller }, context);
    if (kept && !caller) sendJson(response, await kept.text(request, handle));
    else send(response, await handle());
  };
}

async function admit(route: Route, request: Request, context: ApiContext): Promise<Caller | null> {
  const caller = await authenticate(route, request, context);
  refuseCrossSite(request, context.config);
  passGate(route.gate, caller, () => context.visibility.current);
  await countCallerLimits(route, request, caller, context);
  return caller;
}

async function answerOrNote(route: Route, exchange: Exchange, context: ApiContext) {
  try {
    return await route.handle(await readInput(route, exchange, context), context);
  } catch (error) {
    const { request, caller } = exchange;
    if (needsSession(route.gate) && isUnauthenticated(error)) askForToken(request);
    await noteRefusal({ route, request, caller, error }, context);
    throw error;
  }
}

/** The session may have ended after it was let in. */
const isUnauthenticated = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "unauthenticated";

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller | null;
}

async function readInput(
  route: Route,
  exchange: Exchange,
  context: ApiContext,
): Promise<Input<unknown, unknown, unknown, Gate, unknown>> {
  const { request, response } = exchange;
  const { anyText } = route;
  const params = checkText(route.params as Joi.ObjectSchema | undefined, request.params, anyText);
  const query = () => checkText(route.query as Joi.ObjectSchema | undefined, request.query);
  const early = { ...exchange, params, query: undefined, body: undefined, found: undefined };
  const found = await route.find?.(early, context);
  if (!route.body) return { ...early, query: query(), found };
  const given = await readBody(request, response);
  return { ...early, found, query: query(), body: checkFields(route, route.body, given) };
}

/** The checked body; a route with one text for every fault refuses in those words. */
function checkFields(route: Route, schema: Joi.ObjectSchema, given: unknown): unknown {
  try {
    return checkBody<unknown>(schema, given, route.anyText);
  } catch (error) {
    if (route.bodyFault === undefined || !(error instanceof AppError)) throw error;
    throw invalid(route.bodyFault);
  }
}

function send(response: Response, result: Answer | object | null): void {
  if (result === alreadySent) return;
  if (!(result instanceof Answer)) {
    sendJson(response, JSON.stringify(result));
    return;
  }
  response.set(result.headers);
  for (const { name, value, options } of result.cookies) {
    if (value === undefined) response.clearCookie(name, options);
    else response.cookie(name, value, options);
  }
  response.status(result.status);
  if (result.body === null && result.status !== 200) response.end();
  else sendJson(response, JSON.stringify(result.body));
}

/** Express would work out the type, the length and the freshness of every answer. */
function sendJson(response: Response, text: string): void {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.end(text);
}
