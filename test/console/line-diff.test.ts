import { describe, expect, it } from "vitest";

import { compareLines } from "../../console/parts/line-diff.ts";

const marks = { both: " ", mine: "-", stored: "+" };

const compare = (mine: string, stored: string) =>
  compareLines(mine, stored).map(({ kind, text }) => marks[kind] + text);

describe("the comparison of two texts by line", () => {
  it("marks the lines that only one text has", () => {
    expect(compare("a\nb\nc\nd", "a\nc\nx\nd")).toEqual([" a", "-b", " c", "+x", " d"]);
  });

  it("marks no line of equal texts", () => {
    expect(compare("a\nb", "a\nb")).toEqual([" a", " b"]);
  });

  it("keeps each text whole, also if they are too long to compare every line", () => {
    const long = Array.from({ length: 3_000 }, (_line, at) => `line ${at}`);
    const [mine, stored] = [long.join("\n"), long.toReversed().join("\n")];
    const lines = compareLines(mine, stored);
    const textOf = (side: string) =>
      lines
        .filter(({ kind }) => kind === "both" || kind === side)
        .map(({ text }) => text)
        .join("\n");
    expect([textOf("mine"), textOf("stored")]).toEqual([mine, stored]);
  });
});
