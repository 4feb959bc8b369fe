import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");

const files = globSync("{api,console,jobs,shared,models,migrations,plugins,test}/**/*.{ts,js,cs}", {
  cwd: root,
}).filter((file) => !file.includes("node_modules"));

/** Matches a comment that begins with a question instead of its subject. */
const questions = /^(?:What|Who|Whoever|Whom|Whose|Whether)\b|^Of [^.]*,/;

/** Names that do not say what they contain. */
const vagueNames = new Set(
  (
    "Ground Grounds News Notice Standing Part Outcome Change Trigger Asked Told Found Known Held Sight " +
    "Turn CameInto ArtQuest MeantLink MetReach LookBack Admission atHand waysOn waysUp areNews " +
    "orderLeaves withinRights takingUnlessAwaited storingToldNews isForgotten loseOverdue giveUpAlone " +
    "inOneOrder knownAgainMs beside"
  ).split(" "),
);

/** Declarations with a vague name that may stay, by reason. */
const keptNames: Readonly<Record<string, string>> = {
  "test/frozen/contract/statement.ts Kept": "files below test/frozen do not change",
  "console/api/operations.ts Standing": "generated, with the name of the schema in the description",
};

const declaration = /\b(?:interface|type|class|enum|function|const|let)\s+(\w+)/g;

describe("the words of comments and names", () => {
  it("no comment begins with a question or with a genitive", () => {
    const faults = files.flatMap((file) =>
      readComments(readFileSync(path.join(root, file), "utf8"))
        .filter((comment) => questions.test(comment))
        .map((comment) => `${file}: ${comment}`),
    );
    expect(faults).toEqual([]);
  });

  it("no type, function or constant has a name that hides its content", () => {
    const faults = files.flatMap((file) =>
      [...readFileSync(path.join(root, file), "utf8").matchAll(declaration)]
        .map(([, name = ""]) => name)
        .filter((name) => vagueNames.has(name) || /^Kept(?:[A-Z]|$)/.test(name))
        .map((name) => `${file} ${name}`),
    );
    expect(faults.filter((fault) => !Object.hasOwn(keptNames, fault))).toEqual([]);
  });
});

describe("the errors that @throws tags name", () => {
  it("exist as classes", () => {
    const texts = files.map((file) => readFileSync(path.join(root, file), "utf8"));
    const classes = new Set(
      texts.flatMap((text) => [...text.matchAll(/\bclass (\w+)/g)].map(([, name]) => name)),
    );
    const announced = texts.flatMap((text) =>
      [...text.matchAll(/@throws \{?([A-Z][a-z]+[A-Z]\w*)/g)].map(([, name = ""]) => name),
    );
    const builtIn = new Set(["AggregateError", "RangeError", "SyntaxError", "TypeError"]);
    expect(announced.filter((name) => !classes.has(name) && !builtIn.has(name))).toEqual([]);
  });
});

/**
 * Returns the first line of each comment. It reads JSDoc, line comments and the summaries of C#.
 */
function readComments(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.flatMap((line, at) => {
    const before = lines[at - 1] ?? "";
    const block = /^\/\*\*?\s+(\S.*)/.exec(line);
    if (block?.[1]) return [block[1]];
    if (before === "/**") return [line.replace(/^\*\s*/, "")];
    const single = /^\/\/\/?\s*(?:<summary>)?(.*)/.exec(line);
    if (single?.[1] && !before.startsWith("//")) return [single[1]];
    return [];
  });
}
