import { describe, expect, it } from "@jest/globals";

import { readable } from "../../shared/local/log-lines.ts";

describe("a process's line for the operator", () => {
  it("shows level, message and fields of a log line", () => {
    const line = { level: "warn", time: "x", process: "web", msg: "slow", ms: 12 };
    expect(readable(JSON.stringify(line))).toBe('warn  slow {"ms":12}');
  });

  it("shows where an error came from", () => {
    const line = { level: "error", msg: "job failed", err: { stack: "Error: no\n    at f" } };
    expect(readable(JSON.stringify(line))).toBe("error job failed: Error: no\n    at f");
  });

  it("leaves out what programs write for programs", () => {
    expect(readable('{"ready":true,"token":"secret"}')).toBe("");
  });

  it.each(["Error: no such file", "{ not JSON", "null"])(
    "shows any other line as it is: %s",
    (line) => {
      expect(readable(line)).toBe(line);
    },
  );
});
