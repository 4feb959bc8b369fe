import type { ProviderCheckStatus } from "../../../models/auth/auth-provider.ts";
import { type JsonObject, parseObject } from "../../platform/bridge/json-text.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { Logger } from "../../platform/log.ts";
import {
  sendOutbound,
  type OutboundResponse,
  OutboundError,
  type OutboundRules,
} from "../../platform/net/outbound.ts";

/** The settings and the deadline of requests to a provider. */
export interface ProviderRequestContext {
  readonly config: Config;
  readonly log: Logger;
  /** Shared by all requests of one sign-in or check, so that their timeouts do not add up. */
  readonly signal: AbortSignal;
}

/** Timeout. People wait for the answer, so a slower provider counts as down. */
const requestTimeoutMs = 5_000;

export const openRequestContext = ({
  config,
  log,
}: Pick<Context, "config" | "log">): ProviderRequestContext => ({
  config,
  log,
  signal: AbortSignal.timeout(requestTimeoutMs),
});

/** Shortens the timeout for a request whose answer a sign-in can do without. */
export const shortenTimeout = (
  line: ProviderRequestContext,
  patience: number,
): ProviderRequestContext => ({
  ...line,
  signal: AbortSignal.any([line.signal, AbortSignal.timeout(patience)]),
});

export const outboundRules = ({
  OIDC_ALLOW_INSECURE: allowInsecure,
  OIDC_ALLOW_PRIVATE: allowPrivate,
}: Config): OutboundRules => ({ allowInsecure, allowPrivate, largestBytes: 256 * 1024 });

/** A JSON object whose fields are not validated. */
export type JsonFields = JsonObject;

export interface ProviderResponse {
  readonly status: number;
  readonly fields: JsonFields;
}

export interface ProviderRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent for a GET request; otherwise sent by POST as a form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** @throws {ProviderFailure} unless the answer is a JSON object, with any status */
export async function requestJsonObject(
  question: ProviderRequest,
  line: ProviderRequestContext,
): Promise<ProviderResponse> {
  const { status, text } = await requestText(question, line);
  const fields = parseObject(text);
  if (fields) return { status, fields };
  const reason = `${hostOf(question.url)}: answered ${status} without a JSON object`;
  throw new ProviderFailure("unreachable", reason);
}

/** @throws {ProviderFailure} unless a complete answer arrives */
export async function requestText(
  { url, headers, form }: ProviderRequest,
  { config, signal }: ProviderRequestContext,
): Promise<OutboundResponse> {
  const isForm = form !== undefined;
  const type = isForm && { "content-type": "application/x-www-form-urlencoded" };
  const request = {
    url,
    method: isForm ? "POST" : "GET",
    headers: { accept: "application/json", ...type, ...headers },
    body: isForm ? new URLSearchParams(form).toString() : undefined,
    signal,
  } as const;
  try {
    return await sendOutbound(request, outboundRules(config));
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ProviderFailure("unreachable", `${hostOf(url)}: ${error.message}`, error);
  }
}

/** @throws {ProviderFailure} unless the answer is a JSON object with status 200 */
export async function requestOkJson(
  question: ProviderRequest,
  line: ProviderRequestContext,
): Promise<JsonFields> {
  const { status, fields } = await requestJsonObject(question, line);
  if (status === 200) return fields;
  throw new ProviderFailure("unreachable", `${hostOf(question.url)} answered ${status}`);
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "the provider";

/** The faulty component: the provider, its issuer, our secret, or one sign-in. */
type ProviderFailureKind = Exclude<ProviderCheckStatus, "ok"> | "misconfigured" | "untrusted";

/** A provider failed or sent an answer that cannot be trusted. Callers do not see the reason. */
export class ProviderFailure extends AppError {
  readonly fault: ProviderFailureKind;
  /** Reason, for administrators and the log. */
  readonly reason: string;

  constructor(fault: ProviderFailureKind, reason: string, cause?: unknown) {
    super("provider_failed", "The sign-in provider failed", { cause });
    this.name = "ProviderFailure";
    this.fault = fault;
    this.reason = reason;
  }
}

/** Formats a provider's error and its description as one line for the log; empty if there is no error. */
export function formatProviderError(error: unknown, description: unknown): string {
  if (typeof error !== "string" || error === "") return "";
  const name = /^[\w-]{1,64}$/.test(error) ? error : "an error without a valid name";
  const words = typeof description === "string" ? description : "";
  const line = words
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, longestDescription);
  return line === "" ? name : `${name} (${line})`;
}

const longestDescription = 200;

/** Creates the failure for an answer that cannot be trusted. */
export const untrustedAnswerError = (reason: string, cause?: unknown): ProviderFailure =>
  new ProviderFailure("untrusted", reason, cause);
