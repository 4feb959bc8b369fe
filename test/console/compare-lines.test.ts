import { describe, expect, it } from "vitest";

import { compareLines } from "../../console/parts/compare-lines.ts";

const rows = (before: string, after: string) =>
  compareLines(before, after).map((row) => [row.before, row.after]);

describe("the comparison of two texts", () => {
  it("puts a replaced line beside its replacement", () => {
    expect(rows("a\nb\nc", "a\nx\nc")).toEqual([
      ["a", "a"],
      ["b", "x"],
      ["c", "c"],
    ]);
  });

  it("leaves a gap beside a line that one text lacks", () => {
    expect(rows("x\na\nb\ny", "x\nb\nc\ny")).toEqual([
      ["x", "x"],
      ["a", null],
      ["b", "b"],
      [null, "c"],
      ["y", "y"],
    ]);
  });

  it("contains every line of both texts in their order", () => {
    const texts = ["a\nb\na\nc", "b\na\nb\na", "", "c\nc\na", "a\nb\nc\nd\ne\nf"];
    for (const before of texts) {
      for (const after of texts) {
        const compared = compareLines(before, after);
        const linesOf = (side: "before" | "after") =>
          compared.flatMap((row) => row[side] ?? []).join("\n");
        expect([linesOf("before"), linesOf("after")]).toEqual([before, after]);
      }
    }
  });

  it("pairs all lines of two texts of 20,000 lines that have no line in common", () => {
    const [before, after] = ["a", "b"].map((letter) =>
      Array.from({ length: 20_000 }, (_, at) => letter + at).join("\n"),
    );
    expect(compareLines(before ?? "", after ?? "")).toHaveLength(20_000);
  });
});
