import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { nodeFlags } from "../../jobs/commands/launch/script.ts";
import { createLaunchPlan } from "../../jobs/commands/machine/plan.ts";
import { healthUrl } from "../../jobs/commands/machine/processes.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import type { Variable } from "../../shared/platform/config/variable.ts";
import { variables } from "../../shared/platform/config/variables.ts";
import { countNeededConnections } from "../../shared/platform/db/connection/connection.ts";
import { processKinds } from "../../shared/platform/job-records/processes.ts";
import { queueGroups } from "../../shared/platform/queue/queue-spec.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { maxAttempts as triesPerPush } from "../../shared/push/dispatch/settle.ts";
import { maxAttempts as triesPerHook } from "../../shared/webhooks/sending/settle.ts";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

interface Example {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

/**
 * A variable in `.env.example` has two lines, both commented out: its purpose, then its name and
 * default.
 */
const examples: Example[] = [...read(".env.example").matchAll(/^# (.*)\n#([A-Z_]+)=(.*)$/gm)].map(
  ([, about = "", name = "", text = ""]) => ({ name, text, about }),
);

const catalogue = Object.entries<Variable<unknown>>(variables);

const key = `k1:${Buffer.alloc(32, 1).toString("base64")}`;

/** Reads the text of a variable. An empty text means that it is not set. */
const meaning = ({ schema }: Variable<unknown>, text: string): unknown =>
  schema.validate(text === "" ? undefined : text, { convert: true }).value;

describe(".env.example", () => {
  it("lists every variable of the catalog in its order, and nothing else", () => {
    expect(examples.map(({ name }) => name)).toEqual(catalogue.map(([name]) => name));
    const settings = read(".env.example").match(/^#?\w+=/gm) ?? [];
    expect(settings).toHaveLength(examples.length);
  });

  it("describes each variable as the catalog does", () => {
    expect(Object.fromEntries(examples.map(({ name, about }) => [name, about]))).toEqual(
      Object.fromEntries(catalogue.map(([name, { about }]) => [name, about])),
    );
  });

  it.each(catalogue)("shows the default of %s", (name, variable) => {
    const text = examples.find((example) => example.name === name)?.text ?? "missing";
    const byDefault = meaning(variable, "");
    expect(meaning(variable, text)).toEqual(byDefault);
    // The example shows an empty text only for a default that cannot be written as text.
    const isPlain = ["string", "number", "boolean"].includes(typeof byDefault);
    const isList = Array.isArray(byDefault) && byDefault.length > 0;
    const canBeWritten = isPlain || isList || variable.takesEmpty === true;
    expect(text !== "").toBe(canBeWritten);
  });

  it("sets nothing if it is copied unchanged", () => {
    expect(read(".env.example")).not.toMatch(/^[^#\n]/m);
  });
});

describe("a production configuration", () => {
  const production = {
    NODE_ENV: "production",
    DATABASE_URL: "postgres://given",
    PUBLIC_BASE_URL: "https://community.example",
    JWT_KEYS: key,
    SECRETS_KEYS: key,
    VAPID_KEY: Buffer.alloc(32, 1).toString("base64url"),
  };
  const durations = catalogue.filter(([, variable]) => meaning(variable, "1s") === 1_000);

  it("accepts the default of every duration", () => {
    expect(durations.length).toBeGreaterThan(10);
    expect(faultsOf(production)).toEqual([]);
  });

  it("rejects zero for every duration except SCHEMA_WAIT and REFRESH_GRACE", () => {
    const short = Object.fromEntries(durations.map(([name]) => [name, "0s"]));
    const free = ["SCHEMA_WAIT", "REFRESH_GRACE"];
    const refused = durations.map(([name]) => name).filter((name) => !free.includes(name));
    expect(faultsOf({ ...production, ...short })).toEqual(refused);
  });
});

describe("a variable that redirects push messages in tests", () => {
  const given = { DATABASE_URL: "postgres://given", PUBLIC_BASE_URL: "https://community.example" };
  const keys = {
    JWT_KEYS: key,
    SECRETS_KEYS: key,
    VAPID_KEY: Buffer.alloc(32, 1).toString("base64url"),
  };

  it.each([
    ["PUSH_DNS", "127.0.0.1:53"],
    ["PUSH_ALLOW_PRIVATE_FOR_TESTS", "true"],
  ])("%s is rejected in production", (name, value) => {
    const faultsIn = (NODE_ENV: string) => faultsOf({ ...given, ...keys, [name]: value, NODE_ENV });
    expect([faultsIn("production"), faultsIn("development")]).toEqual([[name], []]);
  });
});

describe("a password in the environment", () => {
  const given = { DATABASE_URL: "postgres://given", JWT_KEYS: key, SECRETS_KEYS: key };

  it.each(["ADMIN_PASSWORD", "DEMO_PASSWORD"])(
    "%s must have 8 to 1024 characters, and an emoji counts as one",
    (name) => {
      const faultsAt = (length: number) =>
        faultsOf({ ...given, [name]: "\u{1F511}".repeat(length) });
      expect([faultsAt(8), faultsAt(1024)]).toEqual([[], []]);
      expect([faultsAt(7), faultsAt(1025)]).toEqual([[name], [name]]);
    },
  );
});

const isGroup = (name: string): boolean => (queueGroups as readonly string[]).includes(name);

describe("app.json", () => {
  const manifest = JSON.parse(read("app.json")) as {
    formation: Record<string, unknown>;
    healthchecks: Record<string, { path: string }[]>;
    scripts: { postdeploy: string };
    env: Record<string, { description: string; value?: string; required?: boolean }>;
  };

  const procfile = [...read("Procfile").matchAll(/^(\w+): node (--.*?) (\S+\.ts)(.*)$/gm)].map(
    ([, name = "", flags, file = "", args = ""]) => ({ name, flags, file, args: args.trim() }),
  );

  it("matches a Procfile that starts every process kind and queue group with the same Node flags", () => {
    const checked = "--import ./require-node.js";
    const flags = `${checked} ${nodeFlags.join(" ")}`;
    const groups = queueGroups.map((name) => ({ name, flags, file: "jobs/worker.ts", args: name }));
    // A runner of the Procfile gives its port to the first process and counts up for the others. So
    // the web process must be first.
    expect(procfile.map(({ name }) => name)).toEqual([...processKinds, ...queueGroups, "release"]);
    expect(procfile.filter(({ name }) => isGroup(name))).toEqual(groups);
    const others = procfile.filter(({ name }) => !isGroup(name));
    expect(others).toEqual(
      others.map(({ name, file }) => ({
        name,
        flags: name === "release" ? checked : flags,
        file,
        args: "",
      })),
    );
    for (const { file } of procfile) expect(read(file)).not.toBe("");
  });

  it("starts one process of each kind, and no separate process for a single queue group", () => {
    const one = processKinds.map((name) => [name, { quantity: 1, max_parallel: 1 }]);
    const none = queueGroups.map((name) => [name, { quantity: 0, max_parallel: 1 }]);
    expect(manifest.formation).toEqual(Object.fromEntries([...one, ...none]));
  });

  it("sets and requires only variables of the catalog and of PostgreSQL's client", () => {
    const names = Object.keys(manifest.env).filter((name) => name !== "PGSSLMODE");
    expect(names.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
  });

  it("states how many connections each process uses in addition to its pool", () => {
    const said = manifest.env["DATABASE_POOL"]?.description ?? "";
    const besides = /a worker holds (\d+) besides, ingest (\d+), web (\d+)/.exec(said)?.slice(1);
    const kinds = ["worker", "ingest", "web"] as const;
    const needs = kinds.map((kind) => String(countNeededConnections(kind, { DATABASE_POOL: 0 })));
    expect(besides).toEqual(needs);
  });

  it("sets only values that production accepts, and requires every other variable that production needs", () => {
    const set = Object.entries(manifest.env).filter(([name]) => Object.hasOwn(variables, name));
    const values = set.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]));
    const faults = faultsOf({ ...Object.fromEntries(values), DATABASE_URL: "postgres://given" });
    const asked = set.filter(([, { required }]) => required).map(([name]) => name);
    expect(faults).toEqual(asked);
  });
});

describe("an operator's command", () => {
  const { scripts, engines } = JSON.parse(read("package.json")) as {
    scripts: Record<string, string>;
    engines: { node: string };
  };
  const commands = ["start", "demo", ...processKinds, "migrate", "doctor", "user", "art"];

  it.each([...commands, "secrets:rotate", "backup", "restore", "restore:check"])(
    "npm run %s checks the Node version before it loads TypeScript",
    (name) => {
      expect(scripts[name]).toMatch(/^node --import \.\/require-node\.js .*\.ts\b/);
    },
  );

  it("runs on the Node version that the version file names", () => {
    const named = read(".nvmrc").trim();
    expect(`${named.split(".")[0]}.x`).toBe(engines.node);
  });
});

describe("the documented number of attempts", () => {
  const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  const about = (name: string) => examples.find((example) => example.name === name)?.about;

  it.each([
    ["MAIL_RETRY", queues["auth.send-mail"].retries + 1],
    ["PUSH_RETRY", triesPerPush],
    ["WEBHOOK_RETRY", triesPerHook],
  ])("equals the number in the code: description of %s", (name, tries) => {
    expect(about(name)).toContain(`wait before the second of the ${words[tries]} tries `);
  });

  it("equals the number in the code: page about webhooks", () => {
    const again = new RegExp(`${words[triesPerHook - 1]} more tries within`, "i");
    expect(read("docs/clients/webhooks.md")).toMatch(again);
  });
});

describe("the health URL of a process", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1"],
    ["::", "127.0.0.1"],
    ["::1", "[::1]"],
    ["localhost", "localhost"],
  ])("has, if the process listens on %s, the host %s", async (host, asked) => {
    const environment = {
      JWT_KEYS: key,
      SECRETS_KEYS: key,
      INTERNAL_HOST: host,
      INTERNAL_PORT: "3001",
    };
    const plan = await createLaunchPlan({ demo: false, verbose: false }, environment);
    const url = new URL(healthUrl(plan, "worker"));
    expect(url.href).toBe(`http://${asked}:3003/internal/health`);
  });
});

/** Returns the names of the variables that are missing or invalid. */
function faultsOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    return [...String(error).matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name);
  }
}
