import { randomUUID } from "node:crypto";

import type { Response } from "express";
import Joi from "joi";

import { AppError } from "../../shared/platform/errors/errors.ts";
import { pluginCodeOf } from "../../shared/platform/errors/plugin-error-codes.ts";
import {
  storeCommandOutcome,
  endPoll,
  type CommandOutcome,
  type DeliveredCommand,
  pollCommands,
  parseCommandOutcome,
} from "../../shared/platform/plugin/commands.ts";
import { markUnwrittenCommandsLost } from "../../shared/platform/plugin/outcomes.ts";
import { pluginLimits } from "../../shared/platform/plugin/plugin-limits.ts";
import { receiveEvents } from "../../shared/platform/plugin/receive-events.ts";
import { beginSession } from "../../shared/platform/plugin/sessions.ts";
import { gameOf } from "../../shared/platform/plugin/sources.ts";
import { WakeUpListener } from "../../shared/platform/plugin/wake-ups.ts";
import { statesFromSnapshots } from "../../shared/shard/states/stale.ts";
import { stateFamilies } from "../../shared/survival/kinds/kind.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { admitPluginCall, runOnClose } from "./admit-plugin.ts";
import { bootIdField, helloBody, eventsBody, outcomeBody, wholeNumberField } from "./fields.ts";

const common = {
  gate: "plugin",
  set: "additive",
  tag: "Plugins",
  sends: { 429: ["Retry-After"], 503: ["Retry-After"] },
  // Repeat the code in the body, which a plugin's scripting environment reads more easily than a header.
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

/** The signal that wakes waiting plugin calls, by listener. All waiting calls of the process share it. */
const bells = new WeakMap<ApiContext["listener"], WakeUpListener>();

function bellOf({ listener }: ApiContext): WakeUpListener {
  const bell = bells.get(listener) ?? WakeUpListener.calls(listener);
  bells.set(listener, bell);
  return bell;
}

/** The calls of a plugin, which is a file that a game server's owner copies into the game. */
export const pluginRoutes = [
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/plugin/hello",
    summary: "Begin the session of a game process",
    description:
      "A plugin calls this operation first after each start, and again after each 409 except " +
      "`SUPERSEDED`. If `bootId` differs from that of the last hello, the new game process takes " +
      "over the link. From then on, all calls of the former game process are 409 with " +
      "`SUPERSEDED`, and its plugin must stop. A plugin may repeat its hello. 409 with " +
      "`PROTOCOL`, `min` and `max` if the site does not support `protocol`. 409 with `EPOCH` if " +
      "the site has stored events of this epoch after `head`: the plugin must begin a new epoch. " +
      "400 with `INVALID` if `game` is not the game of the link.",
    bodyBytes: pluginLimits.bytes,
    body: helloBody,
    answers: { 200: "PluginWelcome", ...refusals },
    find: (exchange, context) => admitPluginCall(exchange, true, context),
    handle: ({ found, body }, context) => {
      const all = gameOf(found.source) === "uo" ? statesFromSnapshots : stateFamilies;
      return beginSession(found, body, all, context);
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/plugin/events",
    summary: "Send events of a game server",
    description:
      "Stores up to 500 events. Returns the `seq` of the newest event that is stored durably: " +
      "the plugin can delete this event and all earlier ones. Events that were already stored " +
      "are skipped. If a field of an event is invalid, this event is not stored, and " +
      "administrators find it among the rejected events. If the whole call is refused, none of " +
      "its events are stored. 409 with `SEQUENCE` and `expected` if events are missing before " +
      "the call's first event or are not in order. 409 with `HELLO` if `bootId` is not that of " +
      "the last hello, 409 with `EPOCH` if `epoch` is not. 413 with `TOO_LARGE` for more than " +
      "500 events. 503 with `BUSY` while too many events of the game server wait to be processed.",
    bodyBytes: pluginLimits.bytes,
    bodyAs: "text",
    body: eventsBody,
    answers: { 200: "PluginReceipt", ...refusals, 503: "PluginRefusal" },
    find: (exchange, context) => admitPluginCall(exchange, true, context),
    handle: async ({ found, body }, context) => ({
      seq: await receiveEvents(found, String(body), context),
    }),
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/plugin/commands",
    summary: "Wait for commands",
    description:
      "Waits for commands, and returns up to 50 of them as soon as there are any. Returns an " +
      "empty list after `wait` seconds, or when the same game server sends a newer request to " +
      "this operation. Each command is returned only once. While a request waits, the site " +
      "regards the plugin as connected.",
    query: Joi.object<{ wait: number; bootId: string }, true>({
      wait: wholeNumberField
        .default(pluginLimits.waitSeconds)
        .description(
          "How many seconds the request waits for a command before it returns an empty list. " +
            "Default and maximum: 25. A larger value counts as 25.",
        ),
      bootId: bootIdField,
    }),
    answers: {
      200: { enveloped: "commands", shape: { listOf: "PluginCommand" } },
      ...refusals,
    },
    waits: true,
    find: (exchange, context) => admitPluginCall(exchange, false, context),
    handle: async ({ found, query, response }, context) => {
      const seconds = Math.min(query.wait, pluginLimits.waitSeconds);
      const gone = abortOnDisconnect(response);
      const signal = AbortSignal.any([gone, context.stopping]);
      const wait = { id: randomUUID(), bootId: query.bootId, seconds, signal };
      try {
        const commands = await pollCommands(found, wait, bellOf(context), context);
        failUnsentCommands(commands, response, context);
        return { commands };
      } finally {
        // The answer may contain commands, so it must be sent even if the end of the poll cannot be stored.
        await endPoll(found, wait.id, context).catch((error: unknown) => {
          context.log.warn(
            { err: error },
            "the end of a plugin's wait for commands could not be stored",
          );
        });
      }
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/plugin/commands/:id",
    summary: "Report the outcome of a command",
    description:
      "Stores the outcome and passes it to the caller who waits for it. If the caller no longer " +
      "waits, the outcome is stored as well: the caller receives it when they repeat the command " +
      "with the same idempotency key. If the plugin sends the same outcome again, nothing " +
      "changes; a different outcome is 409 with `ANSWERED`. 404 with `NOT_FOUND` if the command " +
      "is unknown, or was withdrawn because no plugin received it in time. 413 with `TOO_LARGE` " +
      "if the outcome contains a file of more than 8 MiB; the command has then failed.",
    params: Joi.object<{ id: string }, true>({
      id: Joi.string().guid().lowercase().required().description("Id of the command."),
    }),
    query: Joi.object<{ bootId: string }, true>({ bootId: bootIdField }),
    bodyBytes: pluginLimits.outcomeBytes,
    bodyAs: "text",
    body: outcomeBody,
    answers: { 204: "", ...refusals, 404: "PluginRefusal", 413: "PluginRefusal" },
    find: (exchange, context) => admitPluginCall(exchange, false, context),
    handle: async ({ found, params, query, body }, context) => {
      const sent = parseCommandOutcome(String(body));
      const isTooLarge = bytesOfFile(sent) > pluginLimits.fileBytes;
      const named = { id: params.id, bootId: query.bootId };
      await storeCommandOutcome(found, named, isTooLarge ? tooLarge : sent, context);
      if (isTooLarge) throw new AppError("body_too_large", "A file has at most 8 MiB");
      return createAnswer(204, null);
    },
  }),
];

/** The outcome that is stored instead of one whose file is too large. */
const tooLarge: CommandOutcome = { status: 500, body: { code: "TOO_LARGE" } };

/** Returns the decoded size of an outcome's file in bytes. */
function bytesOfFile({ body }: CommandOutcome): number {
  const { data } = body as { readonly data?: unknown };
  return typeof data === "string" ? Buffer.byteLength(data, "base64") : 0;
}

/** Aborts when the plugin disconnects before its answer. */
function abortOnDisconnect(response: Response): AbortSignal {
  const gone = new AbortController();
  runOnClose(response, () => gone.abort());
  return gone.signal;
}

/** Fails commands whose answer could not be written, because the plugin never received them. */
function failUnsentCommands(
  commands: readonly DeliveredCommand[],
  response: Response,
  { log, sequelize }: ApiContext,
): void {
  if (commands.length === 0) return;
  const ids = commands.map(({ id }) => id);
  const lose = () => {
    if (response.writableFinished && response.statusCode === 200) return;
    markUnwrittenCommandsLost(ids, sequelize).catch((error: unknown) => {
      log.warn(
        { err: error, ids },
        "commands that did not reach the plugin could not be marked as lost",
      );
    });
  };
  runOnClose(response, lose);
}
