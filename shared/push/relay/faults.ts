import type { PushFault } from "../../../models/push/push-device.ts";
import { messageOf } from "../../platform/errors/errors.ts";
import { ForbiddenAddress, NoAddress, ResolverFault } from "../../platform/net/public-address.ts";

interface FaultRule {
  /** It may pass by itself: the message is tried again. */
  readonly passes: boolean;
  /** The relay itself is not well, whatever device is asked for. */
  readonly isOfRelay: boolean;
  /** Once it is final the device counts as failing. */
  readonly fails: boolean;
}

const final = { passes: false, isOfRelay: false, fails: true } as const;
const passing = { passes: true, isOfRelay: true, fails: true } as const;

/** CATALOGUE of why a try fails, and what follows. */
export const faultRules = {
  gone: final,
  refused: final,
  redirect: final,
  certificate: final,
  address: final,
  // The message is too long, and no device is at fault for that.
  too_large: { ...final, fails: false },
  limited: passing,
  unavailable: passing,
  timeout: passing,
  unreachable: passing,
} as const satisfies Readonly<Record<PushFault, FaultRule>>;

/** What came of one try. */
export interface Outcome {
  /** What the relay answered; null without an answer. */
  readonly status: number | null;
  /** Null: the relay has taken the message. */
  readonly fault: PushFault | null;
  /** How long the relay asks to be left alone about the device. */
  readonly holdMs: number | null;
  /** What was thrown instead of an answer, for the log. */
  readonly reason?: string;
}

/** Statuses that mean something else than their hundred. */
const faultOfStatus: Readonly<Record<number, PushFault>> = {
  404: "gone",
  408: "timeout",
  410: "gone",
  413: "too_large",
  429: "limited",
};

export function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  const fault = faultOfStatus[status] ?? faultOfHundred(Math.floor(status / 100));
  return { status, fault, holdMs: fault && faultRules[fault].passes ? waitOf(retryAfter) : null };
}

function faultOfHundred(hundred: number): PushFault | null {
  if (hundred === 2) return null;
  if (hundred === 3) return "redirect";
  return hundred === 5 ? "unavailable" : "refused";
}

/** Seconds or a date, as RFC 9110 has it; null where it says nothing that can be read. */
export function waitOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  if (/^\d+$/.test(retryAfter)) return holdOf(Number(retryAfter) * 1_000);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : holdOf(at - Date.now());
}

/**
 * One answer must not silence a receiver for years, nor be beyond what the database takes for a time.
 * No message outlives a day, so that one whose time is over by then is dropped all the same.
 */
const longestHoldMs = 24 * 60 * 60_000;

/** How long somebody is left alone who asks for so many milliseconds. */
export const holdOf = (askedMs: number): number => Math.min(Math.max(0, askedMs), longestHoldMs);

export const failed = (fault: PushFault): Outcome => ({ status: null, fault, holdMs: null });

export const failedOf = (error: unknown): Outcome => ({
  ...failed(faultOfError(error)),
  reason: messageOf(error),
});

/** Whether it speaks against the relay. An answer of 4xx but 429 is about the one request. */
export const isOfRelay = ({ status, fault }: Outcome): boolean =>
  fault !== null && faultRules[fault].isOfRelay && status !== 408;

/** Of what was thrown instead of an answer. */
function faultOfError(error: unknown): PushFault {
  if (error instanceof ForbiddenAddress) return "address";
  if (error instanceof NoAddress || error instanceof ResolverFault) return "unreachable";
  const { name, code = "" } = error as { readonly name?: string; readonly code?: string };
  if (name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code)) return "timeout";
  return isOfCertificate(code) ? "certificate" : "unreachable";
}

const isOfCertificate = (code: string): boolean =>
  /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)|SELF_SIGNED_CERT/.test(code);
