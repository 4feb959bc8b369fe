import type { FoundHealth } from "../../../models/auth/auth-provider.ts";
import { AppError } from "../../platform/errors/errors.ts";

/** What is wrong at a provider: with the provider, its issuer, our secret, or one sign-in. */
type ProviderFault = Exclude<FoundHealth, "ok"> | "misconfigured" | "untrusted";

/** A provider that failed, or answered what cannot be trusted. Callers are not told the reason. */
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

/**
 * What a provider calls its error, and how it explains it, for the log: as text of one line, whatever
 * came. Empty where it names none.
 */
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

/** An answer that proves nothing, in whatever way it is wrong. */
export const untrusted = (reason: string, cause?: unknown): ProviderFailure =>
  new ProviderFailure("untrusted", reason, cause);
