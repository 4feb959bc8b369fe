import { execFileSync } from "node:child_process";
import path from "node:path";

import { describe, expect, it } from "@jest/globals";

const logModule = path.join(import.meta.dirname, "../../shared/log.ts");

/** Logs by the expression in a process of its own. @returns the line it wrote */
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

describe("a log line", () => {
  it.each(["23505", "40P01", "ECONNREFUSED", "UND_ERR_CONNECT_TIMEOUT"])(
    "tells what a failure is called: %s",
    (code) => {
      const { err } = lineOf(`{ err: ${failed(`"${code}"`)} }`);
      expect(err).toMatchObject({ type: "Error", message: "failed", code });
    },
  );

  it("tells what the database called it, though the library wraps that", () => {
    const { err } = lineOf(
      `{ err: ${failed(`{ code: "23505", detail: "Key (x)" }`, "original")} }`,
    );
    expect(err).toMatchObject({ code: "23505" });
    expect(JSON.stringify(err)).not.toContain("Key");
  });

  it("keeps what people enter to itself, wherever it stands", () => {
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
