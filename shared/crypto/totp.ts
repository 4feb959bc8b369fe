import { generateSecret, generateURI, verifySync } from "otplib";

import { siteName } from "../site-name.ts";

/** Seconds a phone's clock may be off: one step to either side. */
const toleranceSeconds = 30;

/** 20 random bytes in base32, as authenticator apps take them. */
export const newTotpSecret = (): string => generateSecret();

/** What the QR code says. The label's own separator is taken out of the name. */
export const otpauthUrl = (secret: string, username: string): string =>
  generateURI({ issuer: siteName, label: username.replaceAll(":", ""), secret });

/** @returns the 30-second step the code belongs to, or null when it is wrong */
export function stepOfCode(secret: string, code: string): number | null {
  // otplib throws on whatever is not six ASCII digits.
  if (!/^\d{6}$/.test(code)) return null;
  const result = verifySync({ secret, token: code, epochTolerance: toleranceSeconds });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}
