import { createHash, randomBytes } from "node:crypto";

/** 32 random bytes as URL-safe text. People and secret scanners recognize the prefix. */
export const generateToken = (prefix = ""): string =>
  prefix + randomBytes(32).toString("base64url");

/** Returns the stored form of a token, from which the token cannot be computed. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();
