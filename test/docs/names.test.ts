import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import { projectFolder } from "../../jobs/commands/launch/script.ts";
import { readPage, readPages } from "./read-pages.ts";

const read = (file: string): string => readFileSync(path.join(projectFolder, file), "utf8");

const rooms = [
  "api",
  "console",
  "jobs",
  "shared",
  "models",
  "migrations",
  "plugins",
  "test",
] as const;

/** The source files, the tests and the configuration, in which documented names must occur. */
const code = [
  ...globSync(`{${rooms.join(",")}}/**/*.ts`, { cwd: projectFolder }),
  "api/openapi.json",
  "package.json",
  ".env.example",
  "Procfile",
  "app.json",
]
  .filter((file) => !file.includes("node_modules") && !file.startsWith("test/docs/"))
  .map(read)
  .join("\n");

const parts = new Set(code.match(/\w+/g));
/** The functions, constants and types that modules export, and the functions of test files. */
const exported = new Set(
  [...code.matchAll(/^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm)].map(
    ([, name]) => name,
  ),
);
/** Functions of JavaScript, the test runner and PromQL. */
const builtIn = new Set(["fetch", "beforeAll", "afterAll", "it", "expect", "time"]);
/** Functions of the database have names with underscores. */
const isFunction = (name: string): boolean =>
  exported.has(name) ||
  builtIn.has(name) ||
  (name.includes("_") && parts.has(name)) ||
  // A catalog's functions are often not exported, because only the catalog's entries call them.
  new RegExp(`^const ${name} = (?:<|\\()`, "m").test(code);

const scripts = JSON.parse(read("package.json")) as { readonly scripts: object };
const metrics = new Set(readPage("docs/operate/metrics.md").codes.map(({ to }) => to));

const withoutNames = (route: string): string =>
  route.replaceAll(/:\w+|\{\w+\}|<[^>]+>/g, ":").replace(/\?.*$/, "");
const ways = new Set(
  routes.flatMap(({ method, path: way }) => {
    const full = withoutNames(way);
    return [full, full.replace("/api/v1", "")].map((one) => `${method.toUpperCase()} ${one}`);
  }),
);

/** Documented names that belong to other programs and standards, by owner. */
const others: Readonly<Record<string, readonly string[]>> = {
  "PostgreSQL and PgBouncer": [
    "max_prepared_statements",
    "max_slot_wal_keep_size",
    "peer_id",
    "pg_dump",
    "server_lifetime",
    "so_reuseport",
  ],
  browsers: ["withCredentials"],
  "hosts of examples": ["api.community.example", "www.community.example"],
  "marks in shell commands": ["EOF_CLIENT", "EOF_CODE", "EOF_EVENT"],
};
const isOther = (name: string): boolean =>
  Object.values(others).some((list) => list.includes(name));

interface Form {
  readonly pattern: RegExp;
  readonly exists: (name: string) => boolean;
}

/**
 * Kinds of names in backquotes. `pattern` recognizes a name, and `exists` looks it up in the code.
 */
const forms: Readonly<Record<string, Form>> = {
  "environment variables and codes in capitals": {
    pattern: /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/,
    exists: (name) => parts.has(name),
  },
  metrics: {
    pattern: /^guildhall_\w+$/,
    exists: (name) => metrics.has(name) || metrics.has(name.replace(/_(?:bucket|sum|count)$/, "")),
  },
  "codes, fields and columns": {
    pattern: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/,
    exists: (name) => name.startsWith("guildhall_") || parts.has(name),
  },
  "queues, kinds, streams and actions": {
    pattern: /^[a-z]+(?:\.[a-z]+(?:[-_][a-z]+)*)+$/,
    exists: (name) =>
      code.includes(name) ||
      existsSync(path.join(projectFolder, name)) ||
      name.split(".").every((part) => parts.has(part)),
  },
  routes: {
    pattern: /^(?:GET|POST|PUT|PATCH|DELETE) \/\S*$/,
    exists: (name) => ways.has(withoutNames(name)) || code.includes(name.split(" ")[1] ?? ""),
  },
  commands: {
    pattern: /^npm run \S+/,
    exists: (name) => Object.hasOwn(scripts.scripts, name.split(" ")[2] ?? ""),
  },
  "functions with their arguments": {
    pattern: /^\w+\(/,
    exists: (text) => isFunction(/^\w+/.exec(text)?.[0] ?? ""),
  },
  "identifiers of several words": {
    pattern: /^[a-z]+(?:[A-Z][a-z0-9]*)+$/,
    exists: (name) => parts.has(name),
  },
  "files and folders": {
    pattern: new RegExp(`^(?:${rooms.join("|")}|docs)/[\\w./-]+$`),
    exists: (name) => existsSync(path.join(projectFolder, name)),
  },
};

describe("names in the documents", () => {
  it.each(Object.entries(forms))("exist in the code: %s", (_form, { pattern, exists }) => {
    const unknown = readPages().flatMap(({ name, codes, blocks }) => {
      const inBlocks = blocks.flatMap(
        ({ text }) => text.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [],
      );
      return [...codes.map(({ to }) => to), ...inBlocks]
        .filter((text) => pattern.test(text) && !exists(text) && !isOther(text))
        .map((text) => `${name}: ${text}`);
    });
    expect(unknown).toEqual([]);
  });

  it("exist in the code if the samples in TypeScript call them as functions", () => {
    const unknown = readPages().flatMap(({ name, blocks }) =>
      blocks
        .filter(({ info }) => /^ts\b/.test(info) && name.startsWith("docs/develop/"))
        .flatMap(({ text }) => [...text.matchAll(/(?<![.\w])(\w+)\(/g)])
        .flatMap(([, called = ""]) => (isFunction(called) ? [] : [`${name}: ${called}`])),
    );
    expect(unknown).toEqual([]);
  });
});
