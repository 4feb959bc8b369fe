import express, { type Request, type RequestHandler, type Response } from "express";
import Joi from "joi";

import {
  type Confirmation,
  runWithConfirmation,
} from "../../shared/auth/second-factor/confirm-caller.ts";
import { runAsCaller } from "../../shared/platform/access/caller-rights.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Revision } from "../../shared/platform/base-revision.ts";
import {
  AppError,
  invalidRequestError,
  invalidFieldsError,
} from "../../shared/platform/errors/errors.ts";
import { mergeFaults } from "../../shared/platform/errors/pointer-faults.ts";
import { createImageRuleContext } from "../../shared/platform/net/image-address.ts";
import { requireAudience } from "../../shared/survival/visibility/visibility.ts";
import type { ApiContext } from "../context.ts";
import { answerWithinReadShare, limitAnonymousReads } from "./anonymous-share.ts";
import { areaOf, groupByArea } from "./areas.ts";
import { setAuthenticateHeader, authenticate, createCallerReader } from "./authenticate.ts";
import { handleWithRevision, splitRevision } from "./based-on.ts";
import { checkForm, hasBody, readBody } from "./body.ts";
import { setCaching, setDeprecation } from "./caching.ts";
import { checkBody, checkParameters, faultStyles } from "./checks.ts";
import { readSignInClient } from "./client.ts";
import { countRefusal } from "./count-refusal.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { needsSession, checkGate } from "./gates.ts";
import { countArrivingRequest, countAdmittedRequest } from "./limiters.ts";
import { sortLiteralFirst } from "./literal-first.ts";
import { answerPreflights, refuseOtherMethods } from "./method-refusals.ts";
import type { RepeatedReads } from "./repeated-reads.ts";
import type { RouteGate, RouteInput, Route } from "./route.ts";
import { checkSecondFactor } from "./second-factor-gate.ts";
import { sendResponse, sendText, toTextAnswer } from "./send.ts";
import { siteClosedError, isSiteClosedTo, isClosedToSomeCallers } from "./site-gate.ts";
import { checkTokenScope } from "./token-gate.ts";

/**
 * Serves all declared routes. A literal segment is matched before a parameter, whatever the order of the list.
 * Express tests the patterns of a router one after the other, so each area has its own router, and paths
 * without parameters are looked up in a map.
 */
export function createRouter(
  routes: readonly Route[],
  repeated: RepeatedReads,
  context: ApiContext,
): RequestHandler {
  limitAnonymousReads(context.sequelize, context.config.DATABASE_POOL);
  const literal = new Map<string, RequestHandler>();
  const areas = new Map<string, express.Router>();
  for (const [area, group] of groupByArea(routes)) {
    const router = express.Router({ caseSensitive: true, strict: false });
    for (const route of sortLiteralFirst(group)) {
      const answer = serve(route, repeated, context);
      router[route.method](route.path, answer);
      if (!route.path.includes(":")) literal.set(keyOf(route.method, route.path), answer);
    }
    answerPreflights(router, group);
    refuseOtherMethods(router, group);
    areas.set(area, router);
  }
  return (request, response, next) => {
    const { method, path } = request;
    const answer = literal.get(keyOf(method, path)) ?? areas.get(areaOf(path));
    return answer ? answer(request, response, next) : next();
  };
}

const keyOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;

/**
 * Handles one request. The API defines the order of refusals: limits, site mode, sign-in, cross-site check,
 * gate, limits of users and limits that count successes, malformed id, unknown object, body, fields.
 */
function serve(route: Route, repeated: RepeatedReads, context: ApiContext): RequestHandler {
  return async (request, response) => {
    response.locals["route"] = route;
    setDeprecation(route, request, response);
    if (route.limiters) await countArrivingRequest(route, request, context);
    const caller = await admit(route, request, context);
    const key = caller ? null : cacheKey(route, request, context);
    // For a cached answer, the audience is checked when the answer is made.
    if (key === null) await passAudience(route, caller, context);
    if (route.limiters) await countAdmittedRequest(route, request, caller, context);
    setCaching(route, caller, response);
    const make = () => answerOrCountRefusal(route, { request, response, caller }, context);
    const handle = () => answerWithinReadShare(route, caller, make);
    const conditional = route.hasValidator && !caller ? request : undefined;
    if (key === null) {
      sendResponse(await handle(), response, conditional);
      return;
    }
    sendText(await answerFromCache(route, key, handle, context), response, conditional);
    repeated.remember(route, key, request, response);
  };
}

/** Returns the answer that all anonymous callers share, from the cache or newly made. */
function answerFromCache(
  route: Route,
  key: string,
  handle: () => Promise<unknown>,
  context: ApiContext,
) {
  const { keptAnswers, streams } = context;
  const makeText = async () => {
    await passAudience(route, null, context);
    return toTextAnswer(await handle());
  };
  const make = route.makesInTurn ? () => keptAnswers.makeSerially(makeText) : makeText;
  return keptAnswers.answer(key, route.keepMs ?? 0, make, route.followsStream ? streams.place : 0);
}

/**
 * Returns the cache key of a request; null if its answer is not cached. The key contains only declared
 * parameters: otherwise one answer could be stored under any number of keys.
 */
function cacheKey(route: Route, request: Request, { keptAnswers }: ApiContext): string | null {
  if (route.keepMs === undefined || hasBody(request)) return null;
  return keptAnswers.keyOf(request.originalUrl, () => {
    try {
      const asked = [readParams(route, request), readQuery(route, request)].map(sortEntries);
      return JSON.stringify([route.path, ...asked]);
    } catch {
      // The request is invalid. The handler reports the fault.
      return null;
    }
  });
}

/** Sorts fields, because clients can send them in any order. */
const sortEntries = (fields: object): unknown[] =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));

/**
 * Reads the caller and checks site mode, sign-in, cross-site rules and gate. It runs when the headers of a
 * request have arrived, and again after the body: a body may take long, and the caller may lose rights
 * meanwhile.
 * @returns the caller; null for an anonymous caller
 */
async function admit(route: Route, request: Request, context: ApiContext): Promise<Caller | null> {
  const readCaller = createCallerReader(request, context);
  if (isClosedToSomeCallers(route, context) && (await isSiteClosedTo(readCaller, context))) {
    throw siteClosedError(context);
  }
  const caller = await authenticate(route, request, readCaller);
  refuseCrossSite(route, request, context.config);
  checkTokenScope(route, request, caller);
  checkSecondFactor(route, caller, context);
  checkGate(route.gate, caller, () => context.visibility.current);
  return caller;
}

/** @throws AppError feature_locked if the caller does not belong to the route's audience */
async function passAudience(route: Route, caller: Caller | null, context: ApiContext) {
  const { sees } = route;
  if (sees) {
    await answerWithinReadShare(route, caller, () => requireAudience(sees, caller, context));
  }
}

async function answerOrCountRefusal(route: Route, exchange: Exchange, context: ApiContext) {
  try {
    const input = await readInput(route, exchange, context);
    return await handleAs(route, input, context);
  } catch (error) {
    const { request, caller } = exchange;
    if (needsSession(route.gate) && isUnauthenticated(error)) setAuthenticateHeader(request);
    await countRefusal({ route, request, caller, error }, context);
    throw error;
  }
}

/** Checks the rights of the session again when the request acts, and verifies the confirmation. */
async function handleAs(
  route: Route,
  { given, revision, ...input }: RequestInput,
  context: ApiContext,
) {
  const handle = async () => handleOn(route, input, revision, context);
  const { caller, request } = input;
  if (!caller || !needsSession(route.gate)) return handle();
  if (!given) return runAsCaller(caller.holdRights, handle);
  return runWithConfirmation(
    { caller, client: readSignInClient(request, context), given },
    handle,
    context,
  );
}

async function handleOn(
  route: Route,
  input: RequestInput,
  revision: Revision | undefined,
  context: ApiContext,
) {
  const handle = async () => route.handle(input, context);
  const { basedOn, faultStyle } = route;
  if (!basedOn || "isOwn" in basedOn) return handle();
  const isPointed = faultStyle === "pointed";
  return handleWithRevision({ basedOn, revision, isPointed }, input, handle, context);
}

/** Returns true if the session has ended since the gate admitted the caller. */
const isUnauthenticated = (error: unknown): boolean =>
  error instanceof AppError && error.kind === "unauthenticated";

interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly caller: Caller | null;
}

interface RequestInput extends RouteInput<unknown, unknown, unknown, RouteGate, unknown> {
  /** The confirmation; undefined if the route requires none. */
  readonly given?: Confirmation;
  /** The revision that the caller read; undefined if the request has none. */
  readonly revision?: Revision | undefined;
}

async function readInput(
  route: Route,
  exchange: Exchange,
  context: ApiContext,
): Promise<RequestInput> {
  const { request, response } = exchange;
  const params = readParams(route, request);
  const style = faultStyles[route.faultStyle ?? "dotted"];
  const early = { ...exchange, params, query: undefined, body: undefined, found: undefined };
  const found = await route.find?.(early, context);
  if (route.bodyAs === "form") {
    checkForm(request, route.bodyBytes);
    return { ...early, found, query: readQuery(route, request), body: {} };
  }
  const given = await readBody(request, response, route.bodyBytes, route.bodyAs);
  const caller = hasBody(request) ? await admit(route, request, context) : exchange.caller;
  if (hasBody(request)) await passAudience(route, caller, context);
  const input = { ...early, caller, found, query: readQuery(route, request) };
  if (route.bodyAs) return { ...input, body: given ?? "" };
  if (route.body) {
    const body = checkFields(route, given, found, context) as object;
    return { ...input, ...splitBody(route, body) };
  }
  if (given !== undefined) checkBody(noFields, given, { style });
  return input;
}

/** Separates the confirmation and the revision from the other fields of a checked body. */
function splitBody({ splitConfirmation, confirmsFor, basedOn }: Route, checked: object) {
  const { given, body } = splitConfirmation?.(checked) ?? { given: undefined, body: checked };
  const isConfirmed = !confirmsFor || confirmsFor.some((name) => name in body);
  const split = { body, ...(given && isConfirmed && { given }) };
  if (!basedOn || "isOwn" in basedOn) return split;
  return { ...split, ...splitRevision(split.body, basedOn) };
}

function readParams({ params, anyText }: Route, request: Request): object {
  return checkParameters<object>(params as Joi.ObjectSchema | undefined, request.params, {
    anyText,
  });
}

function readQuery({ query, faultStyle = "dotted" }: Route, request: Request): object {
  const style = faultStyles[faultStyle];
  return checkParameters<object>(query as Joi.ObjectSchema | undefined, request.query, { style });
}

/** The schema of a route without a body. It refuses the same malformed bodies as other routes. */
const noFields = Joi.object();

/** Returns the checked body. A route with `bodyFault` reports every fault with that text. */
function checkFields(
  route: Route,
  given: unknown,
  found: unknown,
  { config }: ApiContext,
): unknown {
  const { body: schema, anyText, faultStyle = "dotted", bodyFault } = route;
  const more = route.faultsOf?.(given ?? {}, found) ?? [];
  try {
    const style = faultStyles[faultStyle];
    const refusesUnknown = route.unknownFields === "refused";
    const site = createImageRuleContext(config);
    const options = { anyText, style, refusesUnknown, site };
    const body = checkBody<unknown>(schema as Joi.ObjectSchema, given, options);
    if (more.length === 0) return body;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (bodyFault !== undefined) throw invalidRequestError(bodyFault);
    throw error.faults ? invalidFieldsError(mergeFaults(error.faults, more)) : error;
  }
  throw invalidFieldsError(more);
}
