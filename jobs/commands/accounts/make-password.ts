import { randomBytes } from "node:crypto";

/** A password nobody has chosen: 96 bits, to be read off a screen once. */
export const makePassword = (): string => randomBytes(12).toString("base64url");
