import { createRequire } from "node:module";

import type * as otplib from "otplib";

import { siteName } from "../site-name.ts";

const require = createRequire(import.meta.url);

// Load otplib when the first code is checked, because workers and most requests never need it.
const loadOtplib = () => require("otplib") as typeof otplib;

/** Accepted clock difference of a phone: one step in either direction. */
const toleranceSeconds = 30;

/** Returns 20 random bytes in base32, the format of authenticator apps. */
export const generateTotpSecret = (): string => loadOtplib().generateSecret();

/** Returns the content of the QR code. A colon separates its parts, so the user name must not contain a colon. */
export const otpauthUrl = (secret: string, username: string): string =>
  loadOtplib().generateURI({ issuer: siteName, label: username.replaceAll(":", ""), secret });

/** @returns the 30-second step of the code, or null if the code is wrong */
export function findTotpStep(secret: string, code: string): number | null {
  // otplib throws unless the code is six ASCII digits.
  if (!/^\d{6}$/.test(code)) return null;
  const result = loadOtplib().verifySync({ secret, token: code, epochTolerance: toleranceSeconds });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}
