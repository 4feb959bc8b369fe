import { format } from "node:util";

import pino from "pino";

import { stripError } from "./errors/errors.ts";
import { maskForms } from "./secret-texts/secret-forms.ts";

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

/**
 * Creates the process's logger, with `child({ area })` for each area. Writes are synchronous: without a
 * reader, an asynchronous write of a fatal line would be retried forever and the process would never
 * end.
 */
export function createLogger(process: string, level: string): Logger {
  const options = optionsOf(process, level);
  return pino(options, pino.destination({ fd: 1, sync: true }));
}

function optionsOf(process: string, level: string): pino.LoggerOptions {
  return {
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    // Messages and errors can quote secrets, so cover their forms in the finished line.
    hooks: { streamWrite: maskForms },
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error) => pino.stdSerializers.err(stripError(error) as Error) },
    redact: {
      // Named explicitly, because otherwise the censor does not receive the path of an error's code.
      paths: ["err.code", ...secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`])],
      censor,
    },
  };
}

/** An error code such as `ECONNREFUSED` or `23505`. It never matches a user's six-digit code. */
const errorCode = /^(?:[A-Z][A-Z\d_]*|[A-Z\d]{5})$/;

function censor(value: unknown, [holder, field]: readonly string[]): unknown {
  const isErrorCode = holder === "err" && field === "code" && errorCode.test(String(value));
  return isErrorCode ? value : "[redacted]";
}

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Logs console output of libraries, such as Sequelize's of a lost connection, and Node's warnings,
 * because log collectors read only JSON.
 */
export function captureConsole(log: Logger): void {
  for (const [method, level] of Object.entries(levels)) {
    const say = (...given: unknown[]) => log[level]({ from: "console" }, format(...given));
    Object.assign(console, { [method]: say });
  }
  // Removes Node's own listener, which prints warnings.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "warning of Node"));
}
