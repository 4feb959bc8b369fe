import { randomUUID } from "node:crypto";

import { stopRightsChecks } from "../../access/caller-rights.ts";
import { BridgeError } from "../bridge-error.ts";
import { parseObject, toStorableJson } from "../json-text.ts";
import { refusalError } from "../refusals.ts";
import {
  type CallInput,
  callTimeoutMs,
  type CallOptions,
  type CommandCall,
  type FileCall,
  type CommandOptions,
  type ReadCall,
  type ReceivedFile,
} from "./call.ts";
import { type ExchangeAnswer, HttpExchanger } from "./exchange.ts";

export interface ControlSettings {
  /** http or https, without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly protocol: number;
}

export interface ControlOptions {
  readonly connectMs?: number;
  readonly callMs?: number;
  readonly maxBytes?: number;
}

export interface ControlClient {
  readonly protocol: number;
  /** Maximum number of image keys per call, if lower than the protocol's limit. */
  readonly imageKeys?: number;
  /** @throws {BridgeError} if no valid answer arrives */
  read<Answer, Input extends CallInput>(
    this: void,
    call: ReadCall<Answer, Input>,
    ...given: InputArgs<Input>
  ): Promise<Answer>;
  /** @throws {BridgeError} if the answer has no file */
  download(this: void, call: FileCall, options?: CallOptions): Promise<ReceivedFile>;
  /** Sends a command once. @throws {BridgeError} if no valid answer arrives */
  command<Answer, Input extends CallInput>(
    this: void,
    call: CommandCall<Answer, Input>,
    order: CommandOptions,
    ...given: InputArgs<Input>
  ): Promise<Answer>;
  close(this: void): void;
}

/** Makes the argument optional for calls whose input has no required fields. */
type InputArgs<Input> = object extends Input
  ? [input?: Input & CallOptions]
  : [input: Input & CallOptions];

export type AnyCall<Answer> = ReadCall<Answer, unknown> | CommandCall<Answer, unknown>;

export function createControlClient(
  settings: ControlSettings,
  options: ControlOptions = {},
): ControlClient {
  const { connectMs = 5_000, callMs = callTimeoutMs, maxBytes = 32 * 1024 * 1024 } = options;
  const isSecure = settings.baseUrl.startsWith("https:");
  const exchanger = new HttpExchanger(isSecure, { connectMs, maxBytes });

  async function call<Answer>(
    madeCall: AnyCall<Answer>,
    input: CallInput & CallOptions,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    requireProtocol(madeCall, settings.protocol);
    const body = input.body && JSON.stringify(input.body);
    const answer = await exchanger.exchange({
      url: settings.baseUrl + buildUrl(madeCall.path, input),
      method: madeCall.method,
      headers: { ...headers, ...commonHeaders(settings, input.requestId, body) },
      body,
      isRead: !madeCall.isCommand,
      timeoutMs: madeCall.timeoutMs ?? callMs,
      signal: input.signal,
    });
    return readAnswer(madeCall, answer);
  }

  return {
    protocol: settings.protocol,
    read: (madeCall, input: CallInput & CallOptions = {}) => call(madeCall, input, {}),
    command: (madeCall, order, input: CallInput = {}) => {
      stopRightsChecks();
      return call(madeCall, { ...input, ...callOptions(order) }, orderHeaders(order));
    },
    download: async ({ method, path, timeoutMs }, { requestId, signal } = {}) => {
      const answer = await exchanger.exchange({
        url: settings.baseUrl + path,
        method,
        headers: { ...commonHeaders(settings, requestId, undefined), accept: "*/*" },
        body: undefined,
        isRead: true,
        timeoutMs,
        signal,
      });
      if (!isGood(answer)) throw refusalError(answer);
      return answer;
    },
    close: () => exchanger.close(),
  };
}

const isGood = ({ status }: ExchangeAnswer): boolean => status >= 200 && status <= 299;

const callOptions = ({ requestId, signal }: CommandOptions): CallOptions => ({ requestId, signal });

const commonHeaders = (
  { token, protocol }: ControlSettings,
  requestId: string | undefined,
  body: string | undefined,
): Record<string, string> => ({
  accept: "application/json",
  authorization: `Bearer ${token}`,
  "x-bridge-protocol": String(protocol),
  "x-request-id": requestId ?? randomUUID(),
  ...(body !== undefined && { "content-type": "application/json" }),
});

/** @throws {BridgeError} before the call is sent, if the configured protocol lacks the call */
export function requireProtocol({ since, method, path }: AnyCall<unknown>, protocol: number): void {
  if (!since || protocol >= since.protocol) return;
  const reason = `${method} ${path} needs protocol ${since.protocol}; the link is set to ${protocol}`;
  throw new BridgeError(since.before, { reason });
}

function buildUrl(path: string, { params = {}, query = {} }: CallInput): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeSegment(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  return search.size > 0 ? `${filled}?${search.toString()}` : filled;
}

/** Encodes a parameter as one path segment. A value that would change the path causes `NOT_FOUND`. */
function encodeSegment(value: string): string {
  if (value === "" || value === "." || value === "..") throw new BridgeError("NOT_FOUND");
  return encodeURIComponent(value.toWellFormed());
}

const orderHeaders = ({ actor, idempotencyKey }: CommandOptions): Record<string, string> => ({
  "idempotency-key": idempotencyKey ?? randomUUID(),
  "x-bridge-actor": Buffer.from(
    JSON.stringify({ userId: actor.userId, username: actor.username, role: actor.role }),
  ).toString("base64url"),
});

/** Validates the body of an answer by the schema of its call. @throws {BridgeError} if it is invalid */
export function readAnswer<Answer>(madeCall: AnyCall<Answer>, answer: ExchangeAnswer): Answer {
  if (!isGood(answer)) throw refusalError(answer);
  const { text } = answer;
  const checked = madeCall.answer.validate(bodyOf(madeCall, answer), {
    convert: false,
    stripUnknown: true,
    presence: "required",
  });
  if (!checked.error) return checked.value;
  const reason = `${madeCall.method} ${madeCall.path}: ${checked.error.message}`;
  throw new BridgeError("MALFORMED", { reason: text === "" ? `${reason} (empty body)` : reason });
}

/** Returns the object of a JSON answer; an empty object if the body is empty. */
function bodyOf({ method, path }: AnyCall<unknown>, answer: ExchangeAnswer): object {
  const { contentType, text } = answer;
  if (text === "") return {};
  const body = /^application\/json\b/i.test(contentType) ? parseObject(text) : undefined;
  if (body) return toStorableJson(body, text);
  throw new BridgeError("MALFORMED", {
    reason: `${method} ${path}: the answer is not a JSON object`,
  });
}

/** A connection pool that is closed only after its last call, so that no command is cut off. */
export class SharedControlClient {
  readonly #control: ControlClient;
  #calls = 0;
  #isRetired = false;

  constructor(control: ControlClient) {
    this.#control = control;
  }

  async run<Answer>(make: (control: ControlClient) => Promise<Answer>): Promise<Answer> {
    this.#calls += 1;
    try {
      return await make(this.#control);
    } finally {
      this.#calls -= 1;
      this.#closeIfDone();
    }
  }

  closeWhenIdle(): void {
    this.#isRetired = true;
    this.#closeIfDone();
  }

  #closeIfDone(): void {
    if (this.#isRetired && this.#calls === 0) this.#control.close();
  }
}
