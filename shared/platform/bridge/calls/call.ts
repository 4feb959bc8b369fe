import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import type Joi from "joi";

import type { BridgeCode } from "../bridge-error.ts";
import type { CallRefusalCode } from "../refusals.ts";

/** The input of a call in addition to its path. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: object;
}

/** Default timeout of a call in milliseconds. */
export const callTimeoutMs = 10_000;

/** Documentation of a call for the authors of plugins and sidecars. */
export interface CallDocs {
  /** One or two sentences about the game's action or its answer. */
  readonly about: string;
  /** A description of each path parameter. */
  readonly params?: Readonly<Record<string, string>>;
  /** A description of each query parameter. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Joi.ObjectSchema;
  /** Refusal codes of this call, in addition to those of every call. */
  readonly codes?: readonly CallRefusalCode[];
  /** An example of the input, and of a valid answer. */
  readonly example: CallInput & { readonly answer: unknown };
}

/** Requires a description of each parameter, and gives the example the types of the call. */
interface DocsOf<Input, Answer> {
  readonly docs?: CallDocs & { readonly example: Input & { readonly answer: Answer } } & {
    readonly [Key in keyof Input & ("params" | "query")]-?: {
      readonly [Name in keyof Input[Key]]-?: string;
    };
  } & { readonly [Key in keyof Input & "body"]-?: Joi.ObjectSchema };
}

interface CallShape<Answer> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path after the base URL, with `:name` for each parameter. */
  readonly path: `/v1/${string}`;
  /** Schema of the answer; other fields are dropped. */
  readonly answer: Joi.Schema<Answer>;
  readonly timeoutMs?: number;
  /** The protocol version that introduced the call, and the error code for links with an older version. */
  readonly since?: { readonly protocol: number; readonly before: BridgeCode };
  /** Required for each call that is listed in a catalogue. */
  readonly docs?: CallDocs;
}

interface Call<Answer, Input> extends CallShape<Answer> {
  /** Never set. It lets TypeScript infer the type of the input. */
  readonly input?: Input;
}

/** A call that changes nothing. It names no actor and may be retried. */
export interface ReadCall<Answer, Input = CallInput> extends Call<Answer, Input> {
  readonly isCommand: false;
}

/** A call that changes the game. It names the actor and is never retried by the service. */
export interface CommandCall<Answer, Input = CallInput> extends Call<Answer, Input> {
  readonly isCommand: true;
}

export interface FileCall {
  readonly method: "POST";
  readonly path: `/v1/${string}`;
  readonly timeoutMs: number;
  /**
   * Schema of the file that a plugin sends. A sidecar sends the file's bytes, and the other fields as headers.
   */
  readonly file: Joi.ObjectSchema;
  readonly docs: CallDocs;
}

/** A received file that is not checked yet. */
export interface ReceivedFile {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Declares a read: `declareRead<Roster, { params: { account: string } }>({ … })`. */
export const declareRead = <Answer, Input extends CallInput = object>(
  shape: CallShape<Answer> & DocsOf<NoInfer<Input>, NoInfer<Answer>>,
): ReadCall<Answer, Input> => ({ ...shape, isCommand: false });

/** Declares a command like `declareRead`. */
export const declareCommand = <Answer, Input extends CallInput = object>(
  shape: CallShape<Answer> & DocsOf<NoInfer<Input>, NoInfer<Answer>>,
): CommandCall<Answer, Input> => ({ ...shape, isCommand: true });

/** The user for whom a command is sent. The service itself has no user id. */
export interface CommandActor {
  readonly userId: number | null;
  readonly username: string;
  readonly role: string;
}

/** The actor of commands that the service sends for no user. */
export const serviceActor: CommandActor = { userId: null, username: "guildhall", role: "service" };

export interface CallOptions {
  /** Id of the API request that causes this call; random if omitted. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The actor of a command, and the key by which the sidecar recognizes a repeat. */
export interface CommandOptions extends CallOptions {
  readonly actor: CommandActor;
  /** Random if omitted. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Returns the idempotency key of a command: a hash of the caller, the route and the client's key, so that
 * the keys of two callers never collide. Undefined if the client sent no key.
 */
export function idempotencyKeyOf(
  who: number | string,
  route: string,
  clientKey: string | undefined,
): string | undefined {
  if (clientKey === undefined) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([who, route, clientKey]))
    .digest("hex");
}
