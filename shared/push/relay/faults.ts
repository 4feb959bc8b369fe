import type { PushFault } from "../../../models/push/push-device.ts";
import { messageOf } from "../../platform/errors/errors.ts";
import {
  ForbiddenAddressError,
  HostNotFoundError,
  ResolverError,
} from "../../platform/net/public-address.ts";

interface FaultRule {
  /** True if the fault may be temporary, so that the message is retried. */
  readonly passes: boolean;
  /** True if the relay caused the fault. Such a fault says nothing about the device. */
  readonly isOfRelay: boolean;
  /** True if the device counts as failing when this fault ends the last attempt. */
  readonly fails: boolean;
}

const final = { passes: false, isOfRelay: false, fails: true } as const;
const temporary = { passes: true, isOfRelay: true, fails: true } as const;

/** CATALOGUE of the faults of an attempt and their consequences. */
export const faultRules = {
  gone: final,
  refused: final,
  redirect: final,
  certificate: final,
  address: final,
  // The message is too long, which is no fault of the device.
  too_large: { ...final, fails: false },
  limited: temporary,
  unavailable: temporary,
  timeout: temporary,
  unreachable: temporary,
} as const satisfies Readonly<Record<PushFault, FaultRule>>;

/** The outcome of one attempt. */
export interface PushOutcome {
  /** The relay's status; null without an answer. */
  readonly status: number | null;
  /** Null if the relay accepted the message. */
  readonly fault: PushFault | null;
  /** How long the relay asks not to send to the device, in milliseconds. */
  readonly holdMs: number | null;
  /** The error message if there was no answer, for the log. */
  readonly reason?: string;
}

/** Statuses with a meaning other than that of their class. */
const faultOfStatus: Readonly<Record<number, PushFault>> = {
  404: "gone",
  408: "timeout",
  410: "gone",
  413: "too_large",
  429: "limited",
};

export function outcomeOfStatus(status: number, retryAfter: string | undefined): PushOutcome {
  const fault = faultOfStatus[status] ?? faultOfHundred(Math.floor(status / 100));
  return {
    status,
    fault,
    holdMs: fault && faultRules[fault].passes ? parseRetryAfter(retryAfter) : null,
  };
}

function faultOfHundred(hundred: number): PushFault | null {
  if (hundred === 2) return null;
  if (hundred === 3) return "redirect";
  return hundred === 5 ? "unavailable" : "refused";
}

/** Parses Retry-After in seconds or as a date (RFC 9110) to milliseconds; null if it is missing or invalid. */
export function parseRetryAfter(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  if (/^\d+$/.test(retryAfter)) return clampRelayDelayMs(Number(retryAfter) * 1_000);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : clampRelayDelayMs(at - Date.now());
}

/** Longer delays are shortened: they could block a device for years. No message lives longer than a day. */
const longestHoldMs = 24 * 60 * 60_000;

/** Limits the delay that a relay asks for, in milliseconds. */
export const clampRelayDelayMs = (askedMs: number): number =>
  Math.min(Math.max(0, askedMs), longestHoldMs);

export const createFailedOutcome = (fault: PushFault): PushOutcome => ({
  status: null,
  fault,
  holdMs: null,
});

export const toFailedOutcome = (error: unknown): PushOutcome => ({
  ...createFailedOutcome(faultOfError(error)),
  reason: messageOf(error),
});

/** Returns true if the outcome is the relay's fault. A 4xx status other than 429 concerns only the request. */
export const isRelayFault = ({ status, fault }: PushOutcome): boolean =>
  fault !== null && faultRules[fault].isOfRelay && status !== 408;

function faultOfError(error: unknown): PushFault {
  if (error instanceof ForbiddenAddressError) return "address";
  if (error instanceof HostNotFoundError || error instanceof ResolverError) return "unreachable";
  const { name, code = "" } = error as { readonly name?: string; readonly code?: string };
  if (name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code)) return "timeout";
  return isCertificateError(code) ? "certificate" : "unreachable";
}

const isCertificateError = (code: string): boolean =>
  /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)|SELF_SIGNED_CERT/.test(code);
