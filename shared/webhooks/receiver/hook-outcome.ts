import type { WebhookFault, WebhookFormat } from "../../../models/webhooks/webhook.ts";
import { parseObject } from "../../platform/bridge/json-text.ts";
import {
  toFailedOutcome,
  clampRelayDelayMs,
  outcomeOfStatus,
  parseRetryAfter,
} from "../../push/relay/faults.ts";
import { pushAttemptOutcomes } from "../../push/relay/push-counts.ts";

/** The outcome of one attempt. */
export interface HookOutcome {
  /** The receiver's status; null without an answer. */
  readonly status: number | null;
  /** Null if the receiver accepted the message. */
  readonly fault: WebhookFault | null;
  /** How long the receiver asks not to get messages, in milliseconds. */
  readonly holdMs: number | null;
  /** The beginning of the answer's body. */
  readonly text: string;
  /** The error message if there was no answer, for the log. */
  readonly reason?: string | undefined;
}

/** The values of each header, by lower-case name. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HookAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

export function hookOutcomeOf(
  { status, headers, text }: HookAnswer,
  format: WebhookFormat,
): HookOutcome {
  const { fault } = outcomeOfStatus(status, undefined);
  const holdMs = format === "discord" ? holdOfDiscord(headers, text) : null;
  const wait =
    holdMs ?? (fault === null ? null : parseRetryAfter(headerOf(headers, "retry-after")));
  return { status, fault: faultOf(fault, status, format), holdMs: wait, text };
}

export function hookOutcomeOfError(error: unknown): HookOutcome {
  const { fault, reason } = toFailedOutcome(error);
  return { ...createNoAnswerOutcome(fault ?? "unreachable"), reason };
}

/** The outcome if nothing was sent or there was no answer. */
export const createNoAnswerOutcome = (fault: WebhookFault): HookOutcome => ({
  status: null,
  fault,
  holdMs: null,
  text: "",
});

/**
 * Returns the fault that an answer shows. Only Discord's 404 means a deleted webhook; a 404 of another server can
 * be temporary.
 */
function faultOf(
  fault: WebhookFault | null,
  status: number,
  format: WebhookFormat,
): WebhookFault | null {
  return status === 404 && format === "standard" ? "refused" : fault;
}

/**
 * Reads how long Discord asks to wait, in seconds: from the body of a refusal, or from the headers of the last
 * allowed request.
 */
function holdOfDiscord(headers: AnswerHeaders, text: string): number | null {
  const after = parseObject(text)?.["retry_after"];
  if (typeof after === "number" && after >= 0) return clampRelayDelayMs(after * 1_000);
  if (headerOf(headers, "x-ratelimit-remaining") !== "0") return null;
  const reset = Number(headerOf(headers, "x-ratelimit-reset-after") ?? Number.NaN);
  return Number.isFinite(reset) && reset >= 0 ? clampRelayDelayMs(reset * 1_000) : null;
}

function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** The outcome of one attempt, as the counters name it. */
type HookAttemptOutcome = "delivered" | WebhookFault;

export const hookAttemptOutcomes: readonly HookAttemptOutcome[] = [
  ...pushAttemptOutcomes,
  "unreadable",
];

/** The counters of this process since its start. */
export class HookCounts {
  readonly #attempts = new Map<HookAttemptOutcome, number>();
  /** Messages that were not accepted and are retried. */
  retried = 0;
  /** Webhooks that were switched off automatically. */
  switchedOff = 0;

  attemptsOf(outcome: HookAttemptOutcome): number {
    return this.#attempts.get(outcome) ?? 0;
  }

  record(fault: WebhookFault | null): void {
    const outcome = fault ?? "delivered";
    this.#attempts.set(outcome, this.attemptsOf(outcome) + 1);
  }
}
