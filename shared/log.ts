import pino from "pino";

import { plainError } from "./plain-error.ts";

export type Logger = pino.Logger;

/** Fields that never reach a log, at the top or one level down. */
const secretFields = [
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "newPassword",
  "currentPassword",
  "token",
  "accessToken",
  "refreshToken",
  "challenge",
  "code",
  "codeVerifier",
  "recoveryCode",
  "secret",
  "clientSecret",
  "p256dh",
  "auth",
  "endpoint",
  "email",
];

/** JSON lines on standard output, one logger a process; `child({ area })` per area. */
export function createLogger(process: string, level: string): Logger {
  return pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error) => pino.stdSerializers.err(plainError(error) as Error) },
    redact: {
      paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`]),
      censor: "[redacted]",
    },
  });
}
