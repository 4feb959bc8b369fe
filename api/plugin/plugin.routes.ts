import { randomUUID } from "node:crypto";

import type { Response } from "express";
import Joi from "joi";

import { AppError } from "../../shared/errors.ts";
import { pluginCodeOf } from "../../shared/plugin-error-codes.ts";
import { Bell } from "../../shared/plugin/bell.ts";
import {
  answerCommand,
  endWait,
  type Outcome,
  type TakenCommand,
  waitForCommands,
} from "../../shared/plugin/commands.ts";
import { loseUnwritten } from "../../shared/plugin/outcomes.ts";
import { pluginLimits } from "../../shared/plugin/plugin-limits.ts";
import { receiveEvents } from "../../shared/plugin/receive-events.ts";
import { beginSession } from "../../shared/plugin/sessions.ts";
import { gameOf } from "../../shared/plugin/sources.ts";
import { mendable } from "../../shared/shard/states/stale.ts";
import { families } from "../../shared/survival/kinds/families.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { bootId, helloBody, sentEvents, sentOutcome, whole } from "./fields.ts";
import { letPluginIn } from "./let-in.ts";

const common = {
  gate: "plugin",
  set: "additive",
  tag: "Plugins",
  sends: { 429: ["Retry-After"], 503: ["Retry-After"] },
  // A plugin's scripting host reads a body with less effort than a header.
  refusalFields: (refusal: AppError) => ({
    code: pluginCodeOf(refusal),
    ...(refusal.faults?.[0] && { field: refusal.faults[0].path }),
  }),
} as const;

const refusals = {
  400: "PluginRefusal",
  401: "PluginRefusal",
  403: "PluginRefusal",
  409: "PluginRefusal",
  429: "PluginRefusal",
} as const;

/** Bells of the processes' listeners: one for all waits of a process. */
const bells = new WeakMap<ApiContext["listener"], Bell>();

function bellOf({ listener }: ApiContext): Bell {
  const bell = bells.get(listener) ?? Bell.calls(listener);
  bells.set(listener, bell);
  return bell;
}

/** The calls of a plugin, a file that the owner of a game server copies into the game. */
export const pluginRoutes = [
  route({
    ...common,
    method: "post",
    path: "/api/v1/plugin/hello",
    summary: "Begin the session of a game process",
    description:
      "The first call after each start of the plugin, and after each 409. A hello with another " +
      "`bootId` takes the link over; the process before it gets 409 with `SUPERSEDED` from then " +
      "on. The same hello again changes nothing. 409 with `PROTOCOL`, `min` and `max` for " +
      "another protocol, and with `EPOCH` if the buffer ends before what the site has stored. " +
      "400 with `INVALID` if `game` is not the game of the link.",
    bodyBytes: pluginLimits.bytes,
    body: helloBody,
    answers: { 200: "PluginWelcome", ...refusals },
    find: (exchange, context) => letPluginIn(exchange, true, context),
    handle: ({ found, body }, context) => {
      const all = gameOf(found.source) === "uo" ? mendable : families;
      return beginSession(found, body, all, context);
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/plugin/events",
    summary: "Send events of a game server",
    description:
      "Body: `epoch`, `bootId`, an optional `gap { from, to, reason }` of events that the plugin " +
      "no longer has, and `events [{ seq, kind, t, payload, eventKey?, bootId?, saveId? }]`, at " +
      "most 500, with rising `seq`. Returns the highest `seq` that is stored for good; events up " +
      "to it are passed over. An event whose fields break a rule is skipped and listed for " +
      "administrators. 409 with `SEQUENCE` and `expected` if events are missing, with `HELLO` or " +
      "`EPOCH` if the session is another one. Nothing of a refused call is stored. 503 with " +
      "`BUSY` while too many events wait.",
    bodyBytes: pluginLimits.bytes,
    bodyAs: "text",
    body: sentEvents,
    answers: { 200: "PluginReceipt", ...refusals, 503: "PluginRefusal" },
    find: (exchange, context) => letPluginIn(exchange, true, context),
    handle: async ({ found, body }, context) => ({
      seq: await receiveEvents(found, String(body), context),
    }),
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/plugin/commands",
    summary: "Wait for commands",
    description:
      "Returns commands as soon as there are any, and an empty list after `wait` seconds or when " +
      "a newer wait of the same game server begins. Each command is returned once. The wait is " +
      "also the sign of life of the plugin.",
    query: Joi.object<{ wait: number; bootId: string }, true>({
      wait: whole
        .default(pluginLimits.waitSeconds)
        .description("Seconds, 25 by default and at most."),
      bootId,
    }),
    answers: {
      200: { enveloped: "commands", shape: { listOf: "PluginCommand" } },
      ...refusals,
    },
    waits: true,
    find: (exchange, context) => letPluginIn(exchange, false, context),
    handle: async ({ found, query, response }, context) => {
      const seconds = Math.min(query.wait, pluginLimits.waitSeconds);
      const gone = goneWith(response);
      const signal = AbortSignal.any([gone, context.stopping]);
      const wait = { id: randomUUID(), bootId: query.bootId, seconds, signal };
      try {
        const commands = await waitForCommands(found, wait, bellOf(context), context);
        loseWithoutAnswer(commands, response, context);
        return { commands };
      } finally {
        await endWait(found, wait.id, context);
      }
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/plugin/commands/:id",
    summary: "Answer a command",
    description:
      "Stores the outcome, which the caller of the command gets. A late outcome is stored too: a " +
      "repeat of the command's key gets it. The same outcome again changes nothing; another one " +
      "is 409 with `ANSWERED`. 404 with `NOT_FOUND` for an unknown or withdrawn command. 413 with " +
      "`TOO_LARGE` for a file of more than 8 MiB.",
    params: Joi.object<{ id: string }, true>({
      id: Joi.string().guid().lowercase().required().description("Id of the command."),
    }),
    query: Joi.object<{ bootId: string }, true>({ bootId }),
    bodyBytes: pluginLimits.outcomeBytes,
    body: sentOutcome,
    answers: { 204: "", ...refusals, 404: "PluginRefusal", 413: "PluginRefusal" },
    find: (exchange, context) => letPluginIn(exchange, false, context),
    handle: async ({ found, params, query, body }, context) => {
      const isTooLarge = bytesOfFile(body) > pluginLimits.fileBytes;
      const named = { id: params.id, bootId: query.bootId };
      await answerCommand(found, named, isTooLarge ? tooLarge : body, context);
      if (isTooLarge) throw new AppError("body_too_large", "A file has at most 8 MiB");
      return answer(204, null);
    },
  }),
];

/** What the caller of a command gets instead of a file that is too large. */
const tooLarge: Outcome = { status: 500, body: { code: "TOO_LARGE" } };

/** Bytes of the file in an outcome, decoded. */
function bytesOfFile({ body }: Outcome): number {
  const { data } = body as { readonly data?: unknown };
  return typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0;
}

/** Aborts when the plugin's connection is gone before its answer. */
function goneWith(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

/** Commands whose answer could not be written never reached the plugin. */
function loseWithoutAnswer(
  commands: readonly TakenCommand[],
  response: Response,
  { log, sequelize }: ApiContext,
): void {
  if (commands.length === 0) return;
  const ids = commands.map(({ id }) => id);
  const lose = () => {
    if (response.writableFinished) return;
    loseUnwritten(ids, sequelize).catch((error: unknown) => {
      log.warn({ err: error, ids }, "commands that did not reach their plugin were not given up");
    });
  };
  if (response.closed) lose();
  else response.once("close", lose);
}
