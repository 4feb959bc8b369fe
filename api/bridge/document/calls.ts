import {
  callTimeoutMs,
  type CallInput,
  type FileCall,
} from "../../../shared/platform/bridge/calls/call.ts";
import type { AnyCall } from "../../../shared/platform/bridge/calls/control.ts";
import { listRefusalCodes, callRefusals } from "../../../shared/platform/bridge/refusals.ts";
import { findRequiredCapability } from "../../../shared/platform/plugin/sources.ts";
import { shardCalls } from "../../../shared/shard/calls/shard-calls.ts";
import {
  commonSurvivalCalls,
  survivalCalls,
} from "../../../shared/survival/calls/survival-calls.ts";
import type { Schema } from "../../http/json-schema.ts";
import { toPayloadSchema } from "./json-schema.ts";

/** One call to a game server, for the documentation. */
export interface CallDocument {
  readonly call: string;
  readonly about: string;
  readonly isCommand: boolean;
  /** True if the site sends this call only to sidecars, not to plugins. */
  readonly isOfSidecar: boolean;
  readonly capability: string | null;
  readonly timeoutMs: number;
  /** The first sidecar protocol version with this call. */
  readonly since?: number;
  readonly params: Readonly<Record<string, Schema>>;
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: Schema | null;
  readonly answer: Schema;
  readonly example: {
    readonly params: object;
    readonly query: object;
    readonly body: object | null;
    readonly answer: object;
  };
  readonly codes: readonly { readonly status: number; readonly code: string }[];
}

/** Calls that the site answers itself if the server is linked by a plugin. */
const answeredBySite: readonly string[] = ["/v1/health"];

const namesOf = (names: Readonly<Record<string, string>> = {}): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    Object.entries(names).map(([name, description]) => [name, { type: "string", description }]),
  );

/** Converts a query to the texts that plugins and sidecars get. Parameters without a value are omitted. */
const textsOf = (query: CallInput["query"] = {}): object =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );

function documentOf(made: AnyCall<unknown> | FileCall, capability: string | null): CallDocument {
  const { method, path, timeoutMs = callTimeoutMs, docs } = made;
  if (!docs) throw new Error(`${method} ${path} is not described`);
  const { about, params, query, body, example } = docs;
  const isCommand = "isCommand" in made && made.isCommand;
  const since = "since" in made ? made.since : undefined;
  return {
    call: `${method} ${path}`,
    about,
    isCommand,
    isOfSidecar: answeredBySite.includes(path),
    capability,
    timeoutMs,
    ...(since && { since: since.protocol }),
    params: namesOf(params),
    query: namesOf(query),
    body: body ? toPayloadSchema(body) : null,
    answer: toPayloadSchema("file" in made ? made.file : made.answer),
    example: {
      params: example.params ?? {},
      query: textsOf(example.query),
      body: example.body ?? null,
      answer: example.answer as object,
    },
    codes: listRefusalCodes({ isCommand, docs }).map((code) => ({
      status: callRefusals[code].status,
      code,
    })),
  };
}

export const shardCallDocuments = (): CallDocument[] =>
  shardCalls.map((made) => documentOf(made, findRequiredCapability(made.path, "uo")));

export const survivalCallDocuments = (): CallDocument[] => [
  ...commonSurvivalCalls.map((made) => documentOf(made, null)),
  ...Object.entries(survivalCalls).flatMap(([capability, calls]) =>
    calls.map((made) => documentOf(made, capability)),
  ),
];
