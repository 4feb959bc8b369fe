import { format } from "node:util";

import pino from "pino";

import { plainError } from "./errors/errors.ts";
import { coverForms } from "./secret-texts/secret-forms.ts";

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
 * JSON lines on standard output, one logger a process; `child({ area })` per area.
 * Lines are written synchronously: written later, a fatal one that finds nobody reading any more
 * would be tried for ever and the process would never end.
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
    // Messages and errors quote addresses: what has a secret's form is covered in the finished line.
    hooks: { streamWrite: coverForms },
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error) => pino.stdSerializers.err(plainError(error) as Error) },
    redact: {
      // Named, or the censor would not be told that it is at an error's code.
      paths: ["err.code", ...secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`])],
      censor,
    },
  };
}

/** What a program calls a failure, such as `ECONNREFUSED` or `23505`: no six digits of a user's. */
const errorCode = /^(?:[A-Z][A-Z\d_]*|[A-Z\d]{5})$/;

function censor(value: unknown, [holder, field]: readonly string[]): unknown {
  const isErrorCode = holder === "err" && field === "code" && errorCode.test(String(value));
  return isErrorCode ? value : "[redacted]";
}

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * What libraries write to the console, as Sequelize does of a connection lost within a transaction,
 * and Node's own warnings become lines of the log: whoever collects it reads JSON alone.
 */
export function logStrayOutput(log: Logger): void {
  for (const [method, level] of Object.entries(levels)) {
    const say = (...given: unknown[]) => log[level]({ from: "console" }, format(...given));
    Object.assign(console, { [method]: say });
  }
  // Node's own listener prints them.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "warning of Node"));
}
