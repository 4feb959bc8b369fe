import { createRequire } from "node:module";

import type * as otplib from "otplib";

import { siteName } from "../site-name.ts";

const require = createRequire(import.meta.url);

// Workers and most requests never see a code: what checks them is loaded with the first.
const load = () => require("otplib") as typeof otplib;

/** Seconds a phone's clock may be off: one step to either side. */
const toleranceSeconds = 30;

/** 20 random bytes in base32, as authenticator apps take them. */
export const newTotpSecret = (): string => load().generateSecret();

/** What the QR code says. The label's own separator is taken out of the name. */
export const otpauthUrl = (secret: string, username: string): string =>
  load().generateURI({ issuer: siteName, label: username.replaceAll(":", ""), secret });

/** @returns the 30-second step the code belongs to, or null when it is wrong */
export function stepOfCode(secret: string, code: string): number | null {
  // otplib throws on whatever is not six ASCII digits.
  if (!/^\d{6}$/.test(code)) return null;
  const result = load().verifySync({ secret, token: code, epochTolerance: toleranceSeconds });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}
