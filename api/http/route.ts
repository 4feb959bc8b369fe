import type { Request, Response } from "express";
import type Joi from "joi";

import type { Role } from "../../models/auth/user.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { AppError, Fault } from "../../shared/platform/errors/errors.ts";
import type { Feature } from "../../shared/shard/visibility/features.ts";
import type { SingleAudience } from "../../shared/survival/visibility/visibility.ts";
import type { ApiContext } from "../context.ts";
import type { Answer } from "./answer.ts";
import { type BasedOn, type OwnBase, withBase } from "./based-on.ts";
import type { FaultStyleName } from "./checks.ts";
import {
  confirmationSplitter,
  type Confirms,
  type SplitConfirmation,
  withConfirmation,
} from "./confirmation.ts";
import type { AnswerHeader, RequestHeader } from "./headers.ts";
import type { LimiterName } from "./limiters.ts";

/** Who may: the closed vocabulary of the manifest's gate column. */
export type Gate =
  | "public"
  | "auth"
  | "staff"
  | "challenge"
  | "refresh"
  | "plugin"
  | `roles:${Role}`
  | `roles:${Role},${Role}`
  | `feature:${Feature}`;

/** Gates that let nobody in without a session; the handler behind one always has a caller. */
type SessionGate = "auth" | "staff" | `roles:${string}`;

type CallerOf<G extends Gate> = G extends SessionGate ? Caller : Caller | null;

/** A component of the API description by name, a list of it, or another media type. */
export type AnswerShape =
  | string
  | { readonly listOf: string }
  | { readonly enveloped: string; readonly shape: AnswerShape }
  | MediaShape
  | { readonly oneOf: readonly MediaShape[] };

/** An answer that is not `application/json`. */
export interface MediaShape {
  readonly mediaType: string;
  /** The component that says what such an answer holds, where it is no plain file. */
  readonly of?: string;
}

export interface Input<P, Q, B, G extends Gate, F> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: CallerOf<G>;
  /** What `find` found. */
  readonly found: F;
  readonly request: Request;
  readonly response: Response;
}

/** A chapter of the API description. */
export type Tag =
  | "Site"
  | "Content"
  | "Auth"
  | "Account"
  | "Mobile"
  | "Users"
  | "Appeals"
  | "Shard"
  | "Shard player"
  | "Shard staff"
  | "Imports"
  | "Events"
  | "Survival"
  | "Survival staff"
  | "Plugins"
  | "Webhooks"
  | "Operations";

/** One route, declared once: its Express route, gate, checks, description and manifest line. */
export interface RouteSpec<P, Q, B, G extends Gate, F> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The whole path, so that a URL leads to its file by a text search. */
  readonly path: `/${string}`;
  readonly gate: G;
  /** The audience of survival servers that a caller must reach as well; staff say which rung it is. */
  readonly sees?: SingleAudience;
  readonly set: "core" | "additive";
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Joi.ObjectSchema<P>;
  readonly query?: Joi.ObjectSchema<Q>;
  readonly body?: Joi.ObjectSchema<B>;
  /**
   * The caller confirms the request: for whatever makes an account, gives a role, mints, links, resets
   * or shows a credential, or says where a stored secret is sent. No API token opens such a route.
   */
  readonly confirms?: Confirms;
  /**
   * That a field which the schema does not have is 400, at any depth; else it is dropped. A route whose
   * schema, or whose rule behind it, refuses such a field declares this, or the field is dropped first.
   */
  readonly unknownFields?: "refused";
  /** Fields of the body that the caller confirms; a request with none of them needs no confirmation. */
  readonly confirmsFor?: readonly string[];
  /**
   * The request says which state of a stored thing its caller has read: for whatever publishes,
   * approves, restores, starts, changes or decides on what another may change meanwhile. Its code calls
   * `requireBase` under the lock of the row.
   */
  readonly basedOn?: BasedOn<Pick<Input<P, Q, B, G, undefined>, "params" | "body">> | OwnBase;
  /** Bytes that the body may have, where it may be larger than others. */
  readonly bodyBytes?: number;
  /** The handler reads the JSON of the body itself: it is handed the text. */
  readonly bodyAs?: "text";
  /** The one text for every fault of the body, where the routes' contract names no field. */
  readonly bodyFault?: string;
  /** How faults of query and body are told; with JSON pointers where the contract says so. */
  readonly faultStyle?: FaultStyleName;
  /** Faults that the schema cannot see, of a body that may be anything; told with the schema's. */
  readonly faultsOf?: (given: unknown, found: F) => readonly Fault[];
  /** Parameters and fields that are only looked for: text nobody could store is found nowhere. */
  readonly anyText?: readonly string[];
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** Request headers that the handler reads. */
  readonly takes?: readonly RequestHeader[];
  /** Headers of answers, by status, beside those of every answer. */
  readonly sends?: Readonly<Record<number, readonly AnswerHeader[]>>;
  /**
   * Milliseconds for which an anonymous caller may be given the answer of a moment ago. With 0 those
   * who ask while it is made share it, and it is not kept.
   */
  readonly keepMs?: number;
  /**
   * Whether a process makes the kept answers of such routes one after another. An answer that costs the
   * database several milliseconds would slow down other requests if some were made at once.
   */
  readonly makesInTurn?: true;
  /** It tells a state whose changes the public stream tells: a kept answer is not behind the stream. */
  readonly followsStream?: true;
  /** Changes show within a second: a cache may keep the answer, and must ask each time. */
  readonly revalidate?: true;
  /** It holds for the moment alone: no cache may keep even what anybody may see. */
  readonly neverCached?: true;
  /** An anonymous caller's answer carries an `ETag`, and is 304 while the client's copy is good. */
  readonly hasValidator?: true;
  /** Named rate limits: those of users, and of what is done, are counted after the gate. */
  readonly limiters?: readonly LimiterName[];
  /** The answer is an event stream, one of those that an address may hold open. */
  readonly holdsStream?: true;
  /** The component that the service posts to the `url` of the body from then on. */
  readonly posts?: string;
  /** Path of the route that replaces this one. */
  readonly successor?: string;
  /** Why the description leaves the route out. */
  readonly undocumented?: string;
  /** Fields of a refusal beside `error`, where its callers read a code of their own. */
  readonly refusalFields?: (refusal: AppError) => object;
  /** The answer comes when something happens: how long it took says nothing of the service. */
  readonly waits?: true;
  /** What a browser is shown for a refusal of this status; undefined for one it is only told of. */
  readonly refusalPage?: (status: number) => string | undefined;
  /** Answers in words of its own where the refusal of 503 would do harm. */
  readonly refuseInWords?: (
    reason: "closed" | "unavailable",
    exchange: { readonly request: Request; readonly response: Response },
    context: ApiContext,
  ) => void;
  /** Loads the thing named by the path, before all else is read: an unknown thing is 404 first. */
  readonly find?: (
    input: Input<P, undefined, undefined, G, undefined>,
    context: ApiContext,
  ) => Promise<F>;
  /** Answers: a body for 200, or an `answer()` with status, headers and cookies. */
  readonly handle: (
    input: Input<P, Q, B, G, F>,
    context: ApiContext,
  ) => Promise<Answer | object | null> | Answer | object | null;
}

/** A declared route, its types forgotten: what the router, the description and the manifest read. */
export interface Route extends RouteSpec<unknown, unknown, unknown, Gate, unknown> {
  /** Takes the confirmation out of the body, where the route has the router ask for it. */
  readonly splitConfirmation?: SplitConfirmation;
}

export function route<
  P = unknown,
  Q = unknown,
  B = undefined,
  const G extends Gate = Gate,
  F = undefined,
>(spec: RouteSpec<P, Q, B, G, F>): Route {
  return confirmed(based(spec as Route));
}

function confirmed(declared: Route): Route {
  if (declared.confirms !== true) return declared;
  return {
    ...declared,
    body: withConfirmation(declared.body),
    splitConfirmation: confirmationSplitter(declared.body),
    answers: { ...declared.answers, 403: "Error" },
  };
}

function based(declared: Route): Route {
  const { basedOn, body, answers, faultStyle } = declared;
  if (!basedOn) return declared;
  const conflict = faultStyle === "pointed" ? "PointedFaults" : "Error";
  const described = { ...declared, answers: { 409: conflict, ...answers } };
  return "isOwn" in basedOn ? described : { ...described, body: withBase(body, basedOn) };
}
