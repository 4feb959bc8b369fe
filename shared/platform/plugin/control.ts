import { randomUUID } from "node:crypto";

import { stopRightsChecks } from "../access/caller-rights.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import {
  type CommandActor,
  type CallInput,
  callTimeoutMs,
  type CallOptions,
  type FileCall,
  type CommandOptions,
  type ReceivedFile,
} from "../bridge/calls/call.ts";
import {
  type AnyCall,
  type ControlClient,
  type ControlOptions,
  readAnswer,
  requireProtocol,
} from "../bridge/calls/control.ts";
import { ExchangeAnswer } from "../bridge/calls/exchange.ts";
import { parseObject } from "../bridge/json-text.ts";
import { refusalError } from "../bridge/refusals.ts";
import { commandDigests } from "./digests.ts";
import { type CommandExecutor, PendingCommands } from "./pending-commands.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";
import { findRequiredCapability, gameOf } from "./sources.ts";

export interface PluginLink {
  /** The name of the game server in `ingest_sources`. */
  readonly source: string;
  /** Version of the calls that the plugin implements. */
  readonly protocol: number;
  /** The program that executes the calls, as refusals name it. Default: the plugin. */
  readonly executor?: CommandExecutor;
}

export type PluginControlServices = Pick<PluginServices, "config" | "listener" | "sequelize">;

interface CallParameters {
  readonly method: string;
  readonly path: string;
  readonly isRead: boolean;
  readonly timeoutMs: number;
  readonly actor: CommandActor | null;
  readonly key: string | null;
  readonly isRepeatable: boolean;
}

/**
 * Creates a client for calls to a plugin. Each call is a row until the plugin takes and answers it. `callMs` is
 * the default timeout of a call.
 */
export function createPluginControlClient(
  link: PluginLink,
  parts: PluginControlServices,
  { callMs: usualMs = callTimeoutMs }: Pick<ControlOptions, "callMs"> = {},
): ControlClient {
  const calls = new PluginCalls(link, parts, usualMs);
  return {
    protocol: link.protocol,
    imageKeys: pluginLimits.imageKeys,
    read: (made, input: CallInput & CallOptions = {}) => calls.make(made, null, input),
    command: (made, order, input: CallInput = {}) => {
      stopRightsChecks();
      return calls.make(made, order, input);
    },
    download: (call, options) => calls.download(call, options),
    close: () => undefined,
  };
}

class PluginCalls {
  readonly #link: PluginLink;
  readonly #placed: PendingCommands;
  readonly #usualMs: number;
  readonly #config: PluginControlServices["config"];

  constructor(link: PluginLink, parts: PluginControlServices, usualMs: number) {
    this.#link = link;
    this.#usualMs = usualMs;
    this.#config = parts.config;
    this.#placed = new PendingCommands(link, parts);
  }

  async make<Answer>(
    made: AnyCall<Answer>,
    order: CommandOptions | null,
    input: CallInput & CallOptions,
  ): Promise<Answer> {
    requireProtocol(made, this.#link.protocol);
    const own = await this.#answerOurselves(made);
    if (own) return readAnswer(made, own);
    // A resync needs no actor and no key, because repeating it does no harm.
    const named = made.path === "/v1/resync" ? null : order;
    const sent: CallParameters = {
      method: made.method,
      path: made.path,
      isRead: !made.isCommand,
      timeoutMs: made.timeoutMs ?? this.#usualMs,
      actor: named && named.actor,
      key: named && (named.idempotencyKey ?? randomUUID()),
      isRepeatable: named?.idempotencyKey !== undefined,
    };
    return readAnswer(made, await this.#send(sent, input, order ?? input));
  }

  async download(
    { method, path, timeoutMs }: FileCall,
    options: CallOptions = {},
  ): Promise<ReceivedFile> {
    const how = { isRead: true, actor: null, key: null, isRepeatable: false } as const;
    const sent: CallParameters = { method, path, timeoutMs, ...how };
    const answer = await this.#send(sent, {}, options);
    if (answer.status < 200 || answer.status > 299) throw refusalError(answer);
    return readFile(answer);
  }

  async #send(
    sent: CallParameters,
    input: CallInput,
    { signal }: CallOptions,
  ): Promise<ExchangeAnswer> {
    const { method, path, ...how } = sent;
    const given = inputOf(input);
    const call = `${method} ${path}`;
    const { status, body } = await this.#placed.call({
      ...how,
      id: randomUUID(),
      call,
      input: given,
      digests: commandDigests(call, given, this.#config),
      capability: findRequiredCapability(path, gameOf(this.#link.source)),
      signal,
    });
    return new ExchangeAnswer(status, jsonHeaders, Buffer.from(body));
  }

  /** Answers a call without the plugin, from stored data; null if only the plugin can answer. */
  async #answerOurselves({ method, path }: AnyCall<unknown>): Promise<ExchangeAnswer | null> {
    if (method === "GET" && path === "/v1/health") {
      return answerOf(await this.#placed.health(this.#link.protocol));
    }
    // The answer to the plugin's hello has just requested the states, so do not request them again.
    if (path === "/v1/resync" && (await this.#placed.wasResyncRequested())) return answerOf({});
    return null;
  }
}

const jsonHeaders = { "content-type": "application/json" } as const;

const answerOf = (body: object): ExchangeAnswer =>
  new ExchangeAnswer(200, jsonHeaders, Buffer.from(JSON.stringify(body)));

/** Returns the input of a call as plugins expect it: the values of the query are texts, without null values. */
function inputOf({ params = {}, query = {}, body }: CallInput): object {
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  return { params, query: Object.fromEntries(asked) as object, body: body ?? null };
}

/** Fields of a map image in a plugin's answer, and the headers in which a sidecar sends them. */
const fileHeaders = {
  hash: "x-map-hash",
  width: "x-map-width",
  height: "x-map-height",
  oceanMargin: "x-map-ocean-margin",
  background: "x-map-background",
  worldSize: "x-map-world-size",
  saveId: "x-map-save-id",
} as const;

function readFile({ text }: ExchangeAnswer): ReceivedFile {
  const body = parseObject(text) ?? {};
  const { mime, data } = body;
  if (typeof mime !== "string" || typeof data !== "string") {
    throw new BridgeError("MALFORMED", { reason: "the answer contains no file" });
  }
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > pluginLimits.fileBytes) {
    throw new BridgeError("TOO_LARGE", { reason: `more than ${pluginLimits.fileBytes} bytes` });
  }
  const said = Object.entries(fileHeaders).flatMap(([name, header]) => {
    const value = body[name];
    const isSaid = typeof value === "string" || typeof value === "number";
    return isSaid ? [[header, String(value)]] : [];
  });
  return { headers: { "content-type": mime, ...Object.fromEntries(said) }, bytes };
}
