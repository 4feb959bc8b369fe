import { format } from "node:util";

import pino from "pino";

import { stripErrorFields } from "./errors/errors.ts";
import { maskSecretForms } from "./secret-texts/secret-forms.ts";

export type Logger = pino.Logger;

/** Fields that are removed from logs, at the top level and one level below. */
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
 * Creates the process's logger, with `child({ area })` for each area. It writes synchronously: if nobody
 * reads the output, an asynchronous write of a fatal line would be retried forever and the process would
 * never end.
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
    // Messages and errors can quote secrets, so mask texts that look like secrets in the finished line.
    hooks: { streamWrite: maskSecretForms },
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: (error) => pino.stdSerializers.err(stripErrorFields(error) as Error) },
    redact: {
      // The list contains `err.code`, so that `censor` receives its path and can keep error codes.
      paths: ["err.code", ...secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`])],
      censor,
    },
  };
}

/** An error code such as `ECONNREFUSED` or `23505`. A user's six-digit code never matches. */
const errorCode = /^(?:[A-Z][A-Z\d_]*|[A-Z\d]{5})$/;

function censor(value: unknown, [holder, field]: readonly string[]): unknown {
  const isErrorCode = holder === "err" && field === "code" && errorCode.test(String(value));
  return isErrorCode ? value : "[redacted]";
}

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/**
 * Logs console output of libraries, such as Sequelize's about a lost connection, and Node's warnings,
 * because log collectors read only JSON.
 */
export function redirectConsoleToLog(log: Logger): void {
  for (const [method, level] of Object.entries(levels)) {
    const say = (...given: unknown[]) => log[level]({ from: "console" }, format(...given));
    Object.assign(console, { [method]: say });
  }
  // Removes Node's own listener, which prints warnings as plain text.
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (isExpected(warning)) return;
    log.warn({ err: warning }, "Node.js gave a warning");
  });
}

/**
 * The process `web` removes the types of the console's files with a function that Node.js calls
 * experimental. The version of Node.js is pinned, so the function does not change.
 */
const isExpected = ({ name, message }: Error): boolean =>
  name === "ExperimentalWarning" && message.startsWith("stripTypeScriptTypes ");
