import { createHash, randomBytes } from "node:crypto";

/** 32 random bytes as URL-safe text; the prefix tells people and scanners what it is. */
export const newToken = (prefix = ""): string => prefix + randomBytes(32).toString("base64url");

/** What is stored of a token: whoever reads the table learns no token. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();
