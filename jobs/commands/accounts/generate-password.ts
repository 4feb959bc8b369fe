import { randomBytes } from "node:crypto";

/** Generates a password of 96 bits, which is shown once. */
export const generatePassword = (): string => randomBytes(12).toString("base64url");
