import type { Request, Response } from "express";
import type Joi from "joi";

import type { Role } from "../../models/auth/user.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { AppError, Fault } from "../../shared/platform/errors/errors.ts";
import type { Feature } from "../../shared/shard/visibility/features.ts";
import type { SingleAudience } from "../../shared/survival/visibility/visibility.ts";
import type { ApiContext } from "../context.ts";
import type { Answer } from "./answer.ts";
import { type BaseRevisionCheck, type HandlerRevisionCheck, addRevisionField } from "./based-on.ts";
import type { FaultStyleName } from "./checks.ts";
import {
  createConfirmationSplitter,
  type ConfirmationMode,
  type ConfirmationSplitter,
  addConfirmationFields,
} from "./confirmation.ts";
import type { AnswerHeader, RequestHeader } from "./headers.ts";
import type { LimiterName } from "./limiters.ts";

/** The condition for calling a route, as the manifest of routes names it. */
export type RouteGate =
  | "public"
  | "auth"
  | "staff"
  | "challenge"
  | "refresh"
  | "plugin"
  | "reportKey"
  | `roles:${Role}`
  | `roles:${Role},${Role}`
  | `feature:${Feature}`;

/** Gates that require a session. Handlers of routes with such a gate always have a caller. */
type SessionGate = "auth" | "staff" | `roles:${string}`;

type CallerOf<G extends RouteGate> = G extends SessionGate ? Caller : Caller | null;

/** The answer of a route: a component of the API description, a list of it, or another media type. */
export type AnswerShape =
  | string
  | { readonly listOf: string }
  | { readonly enveloped: string; readonly shape: AnswerShape }
  | MediaShape
  | { readonly oneOf: readonly MediaShape[] };

/** The page that a browser receives with a refusal: its HTML, or a function that sends it. */
export type RefusalPage = string | ((response: Response) => Promise<void>);

/** An answer that is not `application/json`. */
export interface MediaShape {
  readonly mediaType: string;
  /** The component that describes the answer; undefined for a plain file. */
  readonly of?: string;
}

export interface RouteInput<P, Q, B, G extends RouteGate, F> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly caller: CallerOf<G>;
  /** The object that `find` returned. */
  readonly found: F;
  readonly request: Request;
  readonly response: Response;
}

/** A chapter of the API description. */
export type RouteTag =
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

/** The declaration of one route. The router, the API description and the manifest of routes are made from it. */
export interface RouteSpec<P, Q, B, G extends RouteGate, F> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The whole path, so that a text search for a URL finds the file. */
  readonly path: `/${string}`;
  readonly gate: G;
  /** An audience of survival servers to which the caller must also belong. Staff configure its access level. */
  readonly sees?: SingleAudience;
  readonly set: "core" | "additive";
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Joi.ObjectSchema<P>;
  readonly query?: Joi.ObjectSchema<Q>;
  readonly body?: Joi.ObjectSchema<B>;
  /**
   * Set if the caller must confirm the request. Use it for routes that create accounts, grant roles, create,
   * link, reset or show credentials, or set where a stored secret is sent. No API token can call such a route.
   */
  readonly confirms?: ConfirmationMode;
  /** Set if the schema or a later check refuses unknown fields with 400. Otherwise unknown fields are dropped. */
  readonly unknownFields?: "refused";
  /** Fields that must be confirmed. A request without these fields needs no confirmation. */
  readonly confirmsFor?: readonly string[];
  /**
   * Set if the request names the revision that its caller read. Use it for routes that publish, approve,
   * restore, start, change or decide on an object that others can change meanwhile. Their code calls
   * `requireBaseRevision` while the row is locked.
   */
  readonly basedOn?:
    | BaseRevisionCheck<Pick<RouteInput<P, Q, B, G, undefined>, "params" | "body">>
    | HandlerRevisionCheck;
  /** The maximum size of the body in bytes, if it differs from the default. */
  readonly bodyBytes?: number;
  /**
   * `text` if the handler gets the JSON text of the body and not the parsed value. `form` if the body is a
   * URL-encoded form: the handler reads it from the request as it arrives.
   */
  readonly bodyAs?: "text" | "form";
  /** The message for any fault of the body, on routes whose refusals name no fields. */
  readonly bodyFault?: string;
  /** The format in which faults of query and body are reported. The API requires JSON pointers for some routes. */
  readonly faultStyle?: FaultStyleName;
  /**
   * Finds faults that the schema cannot express. It gets the body before the schema's check; its faults are
   * reported with the schema's.
   */
  readonly faultsOf?: (given: unknown, found: F) => readonly Fault[];
  /**
   * Parameters and fields that only serve for searching: text that PostgreSQL cannot store is accepted there and
   * matches nothing.
   */
  readonly anyText?: readonly string[];
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** Request headers that the handler reads. */
  readonly takes?: readonly RequestHeader[];
  /** Answer headers by status, in addition to those of every answer. */
  readonly sends?: Readonly<Record<number, readonly AnswerHeader[]>>;
  /** How long an anonymous answer is cached, in milliseconds. With 0, only concurrent requests share it. */
  readonly keepMs?: number;
  /** True to make the cached answers of a process one at a time, because expensive ones slow down other requests. */
  readonly makesInTurn?: true;
  /** True if the answer shows state that the public stream reports, so it must not be older than the stream. */
  readonly followsStream?: true;
  /** True if caches may store the answer but must revalidate it each time, so that changes show within a second. */
  readonly revalidate?: true;
  /** True if no cache may store the answer, even if it is public. */
  readonly neverCached?: true;
  /** True if an anonymous answer has an `ETag`, and is 304 if the client's copy is current. */
  readonly hasValidator?: true;
  /** Named rate limits. Limits per user and limits that count only successes are counted after the gate. */
  readonly limiters?: readonly LimiterName[];
  /** True if the answer is an event stream, which counts towards the open streams of an address. */
  readonly holdsStream?: true;
  /** The component that describes the requests which the site later sends to the body's `url`. */
  readonly posts?: string;
  /** The path of the route that replaces this one. */
  readonly successor?: string;
  /** The reason why the API description omits the route. */
  readonly undocumented?: string;
  /** Returns additional fields of a refusal, for clients that read their own error codes. */
  readonly refusalFields?: (refusal: AppError) => object;
  /** True if the answer waits for an event, so that its duration is not measured. */
  readonly waits?: true;
  /** Returns a browser page for a refusal with this status; undefined for the usual answer. */
  readonly refusalPage?: (status: number) => RefusalPage | undefined;
  /** Writes the answer instead of a refusal with 503, which some clients do not retry. */
  readonly refuseInWords?: (
    reason: "closed" | "unavailable",
    exchange: { readonly request: Request; readonly response: Response },
    context: ApiContext,
  ) => void;
  /** Loads the object that the path names before the query and body are read, so that an unknown object is 404. */
  readonly find?: (
    input: RouteInput<P, undefined, undefined, G, undefined>,
    context: ApiContext,
  ) => Promise<F>;
  /** Returns a body for 200, or an `answer()` with status, headers and cookies. */
  readonly handle: (
    input: RouteInput<P, Q, B, G, F>,
    context: ApiContext,
  ) => Promise<Answer | object | null> | Answer | object | null;
}

/** A declared route without its type parameters, for the router, the description and the manifest. */
export interface Route extends RouteSpec<unknown, unknown, unknown, RouteGate, unknown> {
  /** Splits the confirmation from the body, if the router requires one. */
  readonly splitConfirmation?: ConfirmationSplitter;
}

export function defineRoute<
  P = unknown,
  Q = unknown,
  B = undefined,
  const G extends RouteGate = RouteGate,
  F = undefined,
>(spec: RouteSpec<P, Q, B, G, F>): Route {
  return confirmed(based(spec as Route));
}

function confirmed(declared: Route): Route {
  if (declared.confirms !== true) return declared;
  return {
    ...declared,
    body: addConfirmationFields(declared.body),
    splitConfirmation: createConfirmationSplitter(declared.body),
    answers: { ...declared.answers, 403: "Error" },
  };
}

function based(declared: Route): Route {
  const { basedOn, body, answers, faultStyle } = declared;
  if (!basedOn) return declared;
  const conflict = faultStyle === "pointed" ? "PointedFaults" : "Error";
  const described = { ...declared, answers: { 409: conflict, ...answers } };
  return "isOwn" in basedOn ? described : { ...described, body: addRevisionField(body, basedOn) };
}
