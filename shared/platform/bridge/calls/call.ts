import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

import type Joi from "joi";

import type { BridgeCode } from "../bridge-error.ts";
import type { RefusalCode } from "../refusals.ts";

/** What a call takes beside its path. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: object;
}

/** Milliseconds for which a call without a time of its own waits for its answer. */
export const callMs = 10_000;

/** What people who write a plugin or a sidecar are told of a call. */
export interface CallDocs {
  /** One or two sentences: what the game does, or tells. */
  readonly about: string;
  /** What each parameter of the path is. */
  readonly params?: Readonly<Record<string, string>>;
  /** What each parameter of the query is. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Joi.ObjectSchema;
  /** Codes that this call may be refused with, besides those of every call. */
  readonly codes?: readonly RefusalCode[];
  /** What the service sends, and an answer that it takes. */
  readonly example: CallInput & { readonly answer: unknown };
}

/** Each part of the input is described, and the example is an input and an answer. */
interface DocsOf<Input, Answer> {
  readonly docs?: CallDocs & { readonly example: Input & { readonly answer: Answer } } & {
    readonly [Part in keyof Input & ("params" | "query")]-?: {
      readonly [Name in keyof Input[Part]]-?: string;
    };
  } & { readonly [Part in keyof Input & "body"]-?: Joi.ObjectSchema };
}

interface CallShape<Answer> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Behind the base URL, with `:name` for each parameter. */
  readonly path: `/v1/${string}`;
  /** What the answer must be; fields it does not name are dropped. */
  readonly answer: Joi.Schema<Answer>;
  readonly timeoutMs?: number;
  /** The protocol it came with, and what its absence before that means. */
  readonly since?: { readonly protocol: number; readonly before: BridgeCode };
  /** Each call of the catalogs has it. */
  readonly docs?: CallDocs;
}

interface Call<Answer, Input> extends CallShape<Answer> {
  /** Never set: it carries the type of what the call takes. */
  readonly input?: Input;
}

/** A call that changes nothing: it carries no actor and may be made again. */
export interface ReadCall<Answer, Input = CallInput> extends Call<Answer, Input> {
  readonly isCommand: false;
}

/** A call that acts on the game: it names who acts, and is never repeated by us. */
export interface CommandCall<Answer, Input = CallInput> extends Call<Answer, Input> {
  readonly isCommand: true;
}

/** A read whose answer is a file. */
export interface FileCall {
  readonly method: "POST";
  readonly path: `/v1/${string}`;
  readonly timeoutMs: number;
  /** The file as a plugin sends it; a sidecar sends its bytes, and the rest in headers. */
  readonly file: Joi.ObjectSchema;
  readonly docs: CallDocs;
}

/** A file as it came, which nobody has checked. */
export interface SentFile {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Declares a read: `read<Roster, { params: { account: string } }>({ … })`. */
export const read = <Answer, Input extends CallInput = object>(
  shape: CallShape<Answer> & DocsOf<NoInfer<Input>, NoInfer<Answer>>,
): ReadCall<Answer, Input> => ({ ...shape, isCommand: false });

/** Declares a command, in the same way. */
export const command = <Answer, Input extends CallInput = object>(
  shape: CallShape<Answer> & DocsOf<NoInfer<Input>, NoInfer<Answer>>,
): CommandCall<Answer, Input> => ({ ...shape, isCommand: true });

/** Who acts, from the session; the service itself has no user id. */
export interface Actor {
  readonly userId: number | null;
  readonly username: string;
  readonly role: string;
}

/** The service acting by itself. */
export const serviceActor: Actor = { userId: null, username: "guildhall", role: "service" };

/** What a call is given besides its input. */
export interface CallOptions {
  /** Of the request that this call serves; a random one when left out. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Who orders a command, and the key by which the sidecar recognises a repeated one. */
export interface Order extends CallOptions {
  readonly actor: Actor;
  /** A random one when left out. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The key a command goes out with: the client's own, bound to its caller and route so that no other
 * caller can meet it. Without one of the client's there is none, and each call stands alone.
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
