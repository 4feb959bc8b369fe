import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { contract } from "../frozen/contract/index.ts";
import { unprintedRoutes } from "../frozen/contract/unprinted-routes.ts";
import { readTitles } from "./test-titles.ts";

const tests = path.join(import.meta.dirname, "..");
const statements = Object.values(contract).flat();

/** Returns the routes of a frozen list, without `/api/v1`. */
const frozenRoutes = (set: "core" | "additive"): string[] =>
  readFileSync(path.join(tests, "frozen", `${set}-routes.txt`), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replace(" /api/v1/", " /"));

const named = new Set(statements.flatMap(({ routes = [] }) => routes));
const known = new Map<string, string[][]>();

/**
 * Returns the titles of all tests of a file, each with the titles of its groups.
 * @param name the file's path below `test/`
 */
function titlesIn(name: string): string[][] {
  const titles = known.get(name) ?? readTitles(path.join(tests, name));
  known.set(name, titles);
  return titles;
}

/** Returns the number of tests or groups to which a reference leads. */
function countNamed(reference: string): number {
  const [file = "", ...titles] = reference.split(" > ");
  return titlesIn(file).filter(
    (one) => one.slice(-titles.length).join(" > ") === titles.join(" > "),
  ).length;
}

const doubles = (texts: readonly string[]): string[] =>
  texts.filter((text, at) => texts.indexOf(text) !== at);

describe("the list of contract statements", () => {
  it("has statements in every section, and each statement once", () => {
    expect(Object.keys(contract).filter((section) => !contract[section]?.length)).toEqual([]);
    expect(doubles(statements.map(({ says }) => says))).toEqual([]);
  });

  it("names one test or describe block, which exists once, for each statement", () => {
    const references = [...new Set(statements.flatMap(({ shownBy }) => shownBy))];
    const files = [...new Set(references.map((reference) => reference.split(" > ")[0] ?? ""))];
    expect(files.filter((file) => !existsSync(path.join(tests, file)))).toEqual([]);
    expect(references.filter((reference) => countNamed(reference) !== 1)).toEqual([]);
    expect(statements.filter(({ shownBy }) => shownBy.length === 0)).toEqual([]);
  });

  it("names no test twice for one statement", () => {
    expect(statements.flatMap(({ shownBy }) => doubles(shownBy))).toEqual([]);
  });

  it("states a difference and its reason for each deviation, and for no other statement", () => {
    const isOdd = ({ deviation, reason }: (typeof statements)[number]) =>
      (deviation !== undefined || reason !== undefined) && !(deviation?.trim() && reason?.trim());
    expect(statements.filter(isOdd)).toEqual([]);
  });

  it("names every frozen route except those that the contract does not print, and no other route", () => {
    const frozen = [...frozenRoutes("core"), ...frozenRoutes("additive")];
    expect([...named].filter((route) => !frozen.includes(route))).toEqual([]);
    expect(frozen.filter((route) => !named.has(route)).toSorted()).toEqual(
      unprintedRoutes.toSorted(),
    );
  });
});

describe("the function that reads the titles of a test file", () => {
  it("returns each title with the titles of its groups, and templates as in the source code", () => {
    expect(titlesIn("http/manifest.test.ts").slice(0, 3)).toEqual([
      ["the route manifest"],
      ["the route manifest", "serves exactly the ${set} routes of the frozen list"],
      ["the route manifest", "has the frozen access checks at the ${set} routes"],
    ]);
    const [gate] = titlesIn("http/gates.test.ts").filter(
      ([group]) => group === "a route that requires a role",
    );
    expect(gate).toEqual(["a route that requires a role"]);
    expect(titlesIn("http/gates.test.ts")).toContainEqual([
      "a route that requires a role",
      "%s answers 403 to every other role",
    ]);
  });
});
