import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

import { DatabaseError } from "sequelize";
import { describe, expect, it } from "vitest";

import { formatLogLine } from "../../jobs/commands/launch/log-lines.ts";
import { stripErrorFields } from "../../shared/platform/errors/errors.ts";
import { timeoutMs } from "../support/clock/wait.ts";

const logModule = path.join(import.meta.dirname, "../../shared/platform/log.ts");

/** Logs these fields in a process of its own. @returns the log line */
function lineOf(fields: string): Record<string, unknown> {
  const program = `const { createLogger } = await import(${JSON.stringify(logModule)});
    createLogger("test", "info").child({ area: "log" }).info(${fields});`;
  const given = ["--input-type=module", "-e", program];
  return JSON.parse(execFileSync(process.execPath, given, { encoding: "utf8" })) as Record<
    string,
    unknown
  >;
}

const failed = (code: string, wrapping = "code") =>
  `Object.assign(new Error("failed"), { ${wrapping}: ${code} })`;

describe("a log whose reading process has ended", () => {
  it("does not keep a process from exiting after a fatal line", async () => {
    const program = `const { createLogger } = await import(${JSON.stringify(logModule)});
      process.once("message", () => {
        const log = createLogger("test", "info");
        log.info("nobody reads this");
        log.fatal("nor this");
        process.exit(7);
      });
      process.send("ready");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    await once(child, "message");
    child.stdout?.destroy();
    const ended = once(child, "exit");
    child.send("go on");
    expect(await ended).toEqual([7, null]);
  });
});

describe("a log line", () => {
  it.each(["23505", "40P01", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"])(
    "contains the code of an error: %s",
    (code) => {
      const { err } = lineOf(`{ err: ${failed(`"${code}"`)} }`);
      expect(err).toMatchObject({ type: "Error", message: "failed", code });
    },
  );

  it("contains the database's error code, even if a library wraps the error", () => {
    const { err } = lineOf(
      `{ err: ${failed(`{ code: "23505", detail: "Key (x)" }`, "original")} }`,
    );
    expect(err).toMatchObject({ code: "23505" });
    expect(JSON.stringify(err)).not.toContain("Key");
  });

  it("redacts the values that users enter, at any depth", () => {
    const line = lineOf(
      `{ code: "23505", token: "t", body: { code: "123456", password: "p", email: "a@b" },
         answer: { code: "ECONNREFUSED" }, err: ${failed('"123456"')} }`,
    );
    expect(line).toMatchObject({
      code: "[redacted]",
      token: "[redacted]",
      body: { code: "[redacted]", password: "[redacted]", email: "[redacted]" },
      answer: { code: "[redacted]" },
      err: { message: "failed", code: "[redacted]" },
    });
  });
});

describe("a log line that contains a webhook address", () => {
  it("hides the secret in its message, its fields and its error", () => {
    const hook = "https://discord.com/api/webhooks/1/canary";
    const line = lineOf(`{ url: "${hook}", err: new Error("fetch of ${hook}?wait=1 failed") }`);
    expect(JSON.stringify(line)).not.toContain("canary");
    expect(line).toMatchObject({ url: "********", err: { message: "fetch of ******** failed" } });
  });
});

describe("a line of a program that is printed for the operator", () => {
  it("shows its level, message and fields", () => {
    const line = { level: "warn", time: "x", process: "web", msg: "slow", ms: 12 };
    expect(formatLogLine(JSON.stringify(line))).toBe('WARN: slow {"ms":12}');
  });

  it("shows the stack of its error", () => {
    const line = { level: "error", msg: "job failed", err: { stack: "Error: no\n    at f" } };
    expect(formatLogLine(JSON.stringify(line))).toBe(
      "ERROR: job failed \n    err: Error: no\n        at f",
    );
  });

  it("is omitted if it is a machine-readable line of a program", () => {
    expect(formatLogLine('{"ready":true,"token":"secret"}')).toBe("");
  });

  it.each(["Error: no such file", "{ not JSON", "null"])(
    "is shown unchanged if it is not a log line: %s",
    (line) => {
      expect(formatLogLine(line)).toBe(line);
    },
  );
});

/**
 * Returns the error for a row that violates a constraint: the driver's error, wrapped by Sequelize.
 */
function refusedRow(): DatabaseError {
  const driver = Object.assign(new Error('new row violates "rule"'), {
    code: "23514",
    detail: "Failing row contains (secret)",
    sql: "insert into things values ($1)",
    parameters: ["secret"],
  });
  return new DatabaseError(driver);
}

describe("stripErrorFields", () => {
  it("keeps the message and stack of an error, and drops the values of database rows", () => {
    const error = refusedRow();
    const plain = stripErrorFields(error);
    expect(plain).toMatchObject({ name: error.name, message: error.message, stack: error.stack });
    expect(JSON.stringify(plain)).not.toContain("secret");
    expect(plain).not.toHaveProperty("parent");
  });

  it("keeps the code, the nested errors and the cause, each without the values of database rows", () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED", port: 5432 });
    const several = new AggregateError([refused, "a text"], "none answered", {
      cause: refusedRow(),
    });
    const plain = stripErrorFields(several) as AggregateError;
    expect(plain.errors).toEqual([expect.objectContaining({ code: "ECONNREFUSED" })]);
    expect(plain.errors[0]).not.toHaveProperty("port");
    expect(plain.cause).toMatchObject({ message: 'new row violates "rule"' });
    expect(plain.cause).not.toHaveProperty("sql");
  });

  it.each(["a text", 7, null, undefined])("leaves the thrown value %p unchanged", (thrown) => {
    expect(stripErrorFields(thrown)).toBe(thrown);
  });
});
