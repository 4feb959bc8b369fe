import type { FoundHealth } from "../../../models/auth/auth-provider.ts";
import { type JsonObject, parseObject } from "../../platform/bridge/json-text.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";
import type { Logger } from "../../platform/log.ts";
import {
  askOutside,
  type OutboundAnswer,
  OutboundFailure,
  type OutboundRules,
} from "../../platform/net/outbound.ts";

/** The settings and the deadline of requests to a provider. */
export interface ProviderLine {
  readonly config: Config;
  readonly log: Logger;
  /** Shared by all requests of one sign-in or check, so that their timeouts do not add up. */
  readonly signal: AbortSignal;
}

/** Timeout. People wait for the answer, so a slower provider counts as down. */
const patienceMs = 5_000;

export const openLine = ({ config, log }: Pick<Context, "config" | "log">): ProviderLine => ({
  config,
  log,
  signal: AbortSignal.timeout(patienceMs),
});

/** Shortens the timeout for a request whose answer a sign-in can do without. */
export const shortLine = (line: ProviderLine, patience: number): ProviderLine => ({
  ...line,
  signal: AbortSignal.any([line.signal, AbortSignal.timeout(patience)]),
});

export const outboundRules = ({
  OIDC_ALLOW_INSECURE: allowInsecure,
  OIDC_ALLOW_PRIVATE: allowPrivate,
}: Config): OutboundRules => ({ allowInsecure, allowPrivate, largestBytes: 256 * 1024 });

/** A JSON object whose fields are not validated. */
export type Fields = JsonObject;

export interface ProviderAnswer {
  readonly status: number;
  readonly fields: Fields;
}

export interface ProviderQuestion {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST as a form. */
  readonly form?: Readonly<Record<string, string>>;
}

/** @throws {ProviderFailure} unless the answer is a JSON object, with any status */
export async function askProvider(
  question: ProviderQuestion,
  line: ProviderLine,
): Promise<ProviderAnswer> {
  const { status, text } = await askForText(question, line);
  const fields = parseObject(text);
  if (fields) return { status, fields };
  const reason = `${hostOf(question.url)}: answered ${status} without a JSON object`;
  throw new ProviderFailure("unreachable", reason);
}

/** @throws {ProviderFailure} unless a complete answer arrives */
export async function askForText(
  { url, headers, form }: ProviderQuestion,
  { config, signal }: ProviderLine,
): Promise<OutboundAnswer> {
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
    return await askOutside(request, outboundRules(config));
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    throw new ProviderFailure("unreachable", `${hostOf(url)}: ${error.message}`, error);
  }
}

/** @throws {ProviderFailure} unless the answer is a JSON object with status 200 */
export async function readFromProvider(
  question: ProviderQuestion,
  line: ProviderLine,
): Promise<Fields> {
  const { status, fields } = await askProvider(question, line);
  if (status === 200) return fields;
  throw new ProviderFailure("unreachable", `${hostOf(question.url)} answered ${status}`);
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? "the provider";

/** The part that is faulty: the provider, its issuer, our secret, or one sign-in. */
type ProviderFault = Exclude<FoundHealth, "ok"> | "misconfigured" | "untrusted";

/** A provider failed or gave an untrusted answer. Callers do not see the reason. */
export class ProviderFailure extends AppError {
  readonly fault: ProviderFault;
  /** For administrators and the log. */
  readonly reason: string;

  constructor(fault: ProviderFault, reason: string, cause?: unknown) {
    super("provider_failed", "The sign-in provider failed", { cause });
    this.name = "ProviderFailure";
    this.fault = fault;
    this.reason = reason;
  }
}

/** Formats a provider's error and its description as one line for the log; empty if there is no error. */
export function errorText(error: unknown, description: unknown): string {
  if (typeof error !== "string" || error === "") return "";
  const name = /^[\w-]{1,64}$/.test(error) ? error : "an error of no known name";
  const words = typeof description === "string" ? description : "";
  const line = words
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .trim()
    .slice(0, longestDescription);
  return line === "" ? name : `${name} (${line})`;
}

const longestDescription = 200;

/** Makes the failure for an answer that proves nothing. */
export const untrusted = (reason: string, cause?: unknown): ProviderFailure =>
  new ProviderFailure("untrusted", reason, cause);
