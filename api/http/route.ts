import type { Request, Response } from "express";
import type Joi from "joi";

import type { Caller } from "../../shared/auth/caller.ts";
import type { Role } from "../../shared/auth/roles.ts";
import type { Feature } from "../../shared/shard/features.ts";
import type { ApiContext } from "../context.ts";
import type { Answer } from "./answer.ts";
import type { LimiterName } from "./limiters.ts";

/** Who may: the closed vocabulary of the manifest's gate column. */
export type Gate =
  | "public"
  | "auth"
  | "staff"
  | "challenge"
  | "refresh"
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
  | { readonly mediaType: string };

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

/** One route, declared once: its Express route, gate, checks, description and manifest line. */
export interface RouteSpec<P, Q, B, G extends Gate, F> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** The whole path, so that a URL leads to its file by a text search. */
  readonly path: `/${string}`;
  readonly gate: G;
  readonly set: "core" | "additive";
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Joi.ObjectSchema<P>;
  readonly query?: Joi.ObjectSchema<Q>;
  readonly body?: Joi.ObjectSchema<B>;
  /** The one text for every fault of the body, where the routes' contract names no field. */
  readonly bodyFault?: string;
  /** Parameters and fields that are only looked for: text nobody could store is found nowhere. */
  readonly anyText?: readonly string[];
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** Milliseconds for which an anonymous caller may be given the answer of a moment ago. */
  readonly keepMs?: number;
  /** Changes show within a second: a cache may keep the answer, and must ask each time. */
  readonly revalidate?: true;
  /** Named rate limits: those of users, and of what is done, are counted after the gate. */
  readonly limiters?: readonly LimiterName[];
  /** Path of the route that replaces this one. */
  readonly successor?: string;
  /** Why the description leaves the route out. */
  readonly undocumented?: string;
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
export type Route = RouteSpec<unknown, unknown, unknown, Gate, unknown>;

export function route<
  P = unknown,
  Q = unknown,
  B = undefined,
  const G extends Gate = Gate,
  F = undefined,
>(spec: RouteSpec<P, Q, B, G, F>): Route {
  return spec as unknown as Route;
}
