import type { WebhookFault, WebhookFormat } from "../../../models/webhooks/webhook.ts";
import { parseObject } from "../../platform/bridge/json-text.ts";
import { failedOf, holdOf, outcomeOf, waitOf } from "../../push/relay/faults.ts";
import { attemptOutcomes } from "../../push/relay/push-counts.ts";

/** What came of one try. */
export interface HookOutcome {
  /** What the receiver answered; null without an answer. */
  readonly status: number | null;
  /** Null: the receiver has taken the message. */
  readonly fault: WebhookFault | null;
  /** How long the receiver asks to be left alone. */
  readonly holdMs: number | null;
  /** The beginning of the answer's body. */
  readonly text: string;
  /** What was thrown instead of an answer, for the log. */
  readonly reason?: string | undefined;
}

/** One value of each header, by its name in small letters. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface HookAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
}

/** @returns what an answer means */
export function hookOutcomeOf(
  { status, headers, text }: HookAnswer,
  format: WebhookFormat,
): HookOutcome {
  const { fault } = outcomeOf(status, undefined);
  const holdMs = format === "discord" ? holdOfDiscord(headers, text) : null;
  const wait = holdMs ?? (fault === null ? null : waitOf(headerOf(headers, "retry-after")));
  return { status, fault: faultOf(fault, status, format), holdMs: wait, text };
}

/** Nothing came back. */
export function hookOutcomeOfError(error: unknown): HookOutcome {
  const { fault, reason } = failedOf(error);
  return { ...unsent(fault ?? "unreachable"), reason };
}

/** Nothing was sent, or nothing came back. */
export const unsent = (fault: WebhookFault): HookOutcome => ({
  status: null,
  fault,
  holdMs: null,
  text: "",
});

/** A page that is not there may come back; a webhook that Discord does not know was deleted. */
function faultOf(
  fault: WebhookFault | null,
  status: number,
  format: WebhookFormat,
): WebhookFault | null {
  return status === 404 && format === "standard" ? "refused" : fault;
}

/**
 * Discord says in seconds, and not whole ones, when it takes more: in the body where it took nothing,
 * in a header when what it took was the last for now.
 */
function holdOfDiscord(headers: AnswerHeaders, text: string): number | null {
  const after = parseObject(text)?.["retry_after"];
  if (typeof after === "number" && after >= 0) return holdOf(after * 1_000);
  if (headerOf(headers, "x-ratelimit-remaining") !== "0") return null;
  const reset = Number(headerOf(headers, "x-ratelimit-reset-after") ?? Number.NaN);
  return Number.isFinite(reset) && reset >= 0 ? holdOf(reset * 1_000) : null;
}

function headerOf(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/** What came of one try to post to a webhook. */
type HookAttemptOutcome = "delivered" | WebhookFault;

export const hookAttemptOutcomes: readonly HookAttemptOutcome[] = [
  ...attemptOutcomes,
  "unreadable",
];

/** What this process has posted since it started. */
export class HookCounts {
  readonly #attempts = new Map<HookAttemptOutcome, number>();
  /** Messages that were not taken and are to be sent again. */
  retried = 0;
  /** Webhooks that the site switched off. */
  switchedOff = 0;

  attemptsOf(outcome: HookAttemptOutcome): number {
    return this.#attempts.get(outcome) ?? 0;
  }

  note(fault: WebhookFault | null): void {
    const outcome = fault ?? "delivered";
    this.#attempts.set(outcome, this.attemptsOf(outcome) + 1);
  }
}
