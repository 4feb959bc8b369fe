import type Joi from "joi";

import { frameBounds } from "../../../shared/platform/bridge/frame.ts";
import {
  codesOfPluginCalls,
  kindsOfPluginCode,
  type PluginCode,
  pluginCodeDocs,
} from "../../../shared/platform/errors/plugin-error-codes.ts";
import { pluginAnswers } from "../../../shared/platform/plugin/answers.ts";
import { pluginLimits } from "../../../shared/platform/plugin/plugin-limits.ts";
import { pageSizes } from "../../../shared/shard/calls/paged-calls.ts";
import { statusByErrorKind } from "../../http/errors.ts";
import type { Schema } from "../../http/json-schema.ts";
import type { AnswerShape, Route } from "../../http/route.ts";
import { pluginRoutes } from "../../plugin/plugin.routes.ts";
import { toRouteSchema } from "./json-schema.ts";

export interface PluginCallDocument {
  readonly call: string;
  readonly about: string;
  readonly params: Schema | null;
  readonly query: Schema | null;
  readonly request: Schema | null;
  readonly status: number;
  readonly answer: Schema | null;
  readonly example: { readonly request: unknown; readonly answer: unknown };
  readonly codes: readonly PluginCode[];
}

export interface PluginCodeDocument {
  readonly code: PluginCode;
  readonly statuses: readonly number[];
  readonly means: string;
  readonly next: string;
}

const base = "/api/v1/plugin";

const schemaOf = (schema: Joi.ObjectSchema | undefined): Schema | null =>
  schema ? toRouteSchema(schema) : null;

/** Returns the first example of a schema. */
const exampleOf = (schema: Schema | null): unknown =>
  (schema?.["examples"] as readonly unknown[] | undefined)?.[0] ?? null;

function answerOf(shape: AnswerShape): Schema | null {
  if (shape === "") return null;
  if (typeof shape === "string") {
    return toRouteSchema(pluginAnswers[shape as keyof typeof pluginAnswers]);
  }
  if ("listOf" in shape) return { type: "array", items: answerOf(shape.listOf) };
  if (!("enveloped" in shape)) throw new Error("an answer of a plugin's call is JSON");
  const inner = answerOf(shape.shape) ?? {};
  const items = (inner["items"] ?? {}) as Schema;
  return {
    type: "object",
    required: [shape.enveloped],
    properties: {
      [shape.enveloped]: { ...inner, description: "Commands, oldest first. May be empty." },
    },
    examples: [{ [shape.enveloped]: [exampleOf(items)] }],
  };
}

function documentOf({ method, path, description = "", params, query, body, answers }: Route) {
  const within = path.slice(base.length);
  const [status = "200", shape = ""] =
    Object.entries(answers).find(([code]) => code.startsWith("2")) ?? [];
  const request = schemaOf(body);
  const answer = answerOf(shape);
  return {
    call: `${method.toUpperCase()} ${within}`,
    about: description,
    params: schemaOf(params),
    query: schemaOf(query),
    request,
    status: Number(status),
    answer,
    example: { request: exampleOf(request), answer: exampleOf(answer) },
    codes: codesOfPluginCalls[within as keyof typeof codesOfPluginCalls],
  };
}

export const pluginCallDocuments = (): PluginCallDocument[] => pluginRoutes.map(documentOf);

export const pluginCodeDocuments = (): PluginCodeDocument[] =>
  (Object.keys(pluginCodeDocs) as PluginCode[]).map((code) => ({
    code,
    statuses: [
      ...new Set(
        code === "FAILED" ? [500] : kindsOfPluginCode(code).map((kind) => statusByErrorKind[kind]),
      ),
    ],
    ...pluginCodeDocs[code],
  }));

export const buildPluginRefusalSchema = (): Schema => toRouteSchema(pluginAnswers.PluginRefusal);

export const pluginLimitDocuments = () => ({
  eventsOfACall: pluginLimits.events,
  bytesOfACall: pluginLimits.bytes,
  bytesOfAnEvent: frameBounds.maxBytes,
  levelsOfAPayload: frameBounds.depth,
  bytesOfAnOutcome: pluginLimits.outcomeBytes,
  bytesOfAFile: pluginLimits.fileBytes,
  callsAtOnce: pluginLimits.callsAtOnce,
  hellosAndEventsInASecond: pluginLimits.callsPerSecond,
  secondsOfAWait: pluginLimits.waitSeconds,
  secondsUntilSilent: pluginLimits.silentSeconds,
  secondsToTakeACommand: pluginLimits.takeMs / 1_000,
  commandsOfAnAnswer: pluginLimits.commands,
  hoursThatAKeyIsRemembered: pluginLimits.rememberedHours,
  rowsOfAPage: pageSizes.asked,
  keysOfImages: pluginLimits.imageKeys,
});
