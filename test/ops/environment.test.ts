import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { nodeFlags } from "../../jobs/commands/launch/script.ts";
import { makePlan } from "../../jobs/commands/machine/plan.ts";
import { healthUrl } from "../../jobs/commands/machine/processes.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import type { Variable } from "../../shared/platform/config/variable.ts";
import { variables } from "../../shared/platform/config/variables.ts";
import { connectionNeed } from "../../shared/platform/db/connection/connection.ts";
import { processKinds } from "../../shared/platform/job-records/processes.ts";
import { queueGroups } from "../../shared/platform/queue/queue-spec.ts";
import { queues } from "../../shared/platform/queue/queues.ts";
import { triesPerDelivery as triesPerPush } from "../../shared/push/dispatch/settle.ts";
import { triesPerDelivery as triesPerHook } from "../../shared/webhooks/sending/settle.ts";

const root = path.join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

interface Example {
  readonly name: string;
  readonly text: string;
  readonly about: string;
}

/** A variable stands in two lines: what it is for, and its default, both commented out. */
const examples: Example[] = [...read(".env.example").matchAll(/^# (.*)\n#([A-Z_]+)=(.*)$/gm)].map(
  ([, about = "", name = "", text = ""]) => ({ name, text, about }),
);

const catalogue = Object.entries<Variable<unknown>>(variables);

const key = `k1:${Buffer.alloc(32, 1).toString("base64")}`;

/** What a text means to a variable; an empty one counts as unset, as everywhere. */
const meaning = ({ schema }: Variable<unknown>, text: string): unknown =>
  schema.validate(text === "" ? undefined : text, { convert: true }).value;

describe(".env.example", () => {
  it("names every variable of the catalogue in its order, and nothing else", () => {
    expect(examples.map(({ name }) => name)).toEqual(catalogue.map(([name]) => name));
    const settings = read(".env.example").match(/^#?\w+=/gm) ?? [];
    expect(settings).toHaveLength(examples.length);
  });

  it("says of each what the catalogue says", () => {
    expect(Object.fromEntries(examples.map(({ name, about }) => [name, about]))).toEqual(
      Object.fromEntries(catalogue.map(([name, { about }]) => [name, about])),
    );
  });

  it.each(catalogue)("shows the default of %s", (name, variable) => {
    const text = examples.find((example) => example.name === name)?.text ?? "missing";
    const byDefault = meaning(variable, "");
    expect(meaning(variable, text)).toEqual(byDefault);
    // An empty text would mean the default whatever it is: what can be written must be.
    const isPlain = ["string", "number", "boolean"].includes(typeof byDefault);
    const isList = Array.isArray(byDefault) && byDefault.length > 0;
    const canBeWritten = isPlain || isList || variable.takesEmpty === true;
    expect(text !== "").toBe(canBeWritten);
  });

  it("sets nothing by being copied", () => {
    expect(read(".env.example")).not.toMatch(/^[^#\n]/m);
  });
});

describe("production", () => {
  const production = {
    NODE_ENV: "production",
    DATABASE_URL: "postgres://given",
    PUBLIC_BASE_URL: "https://community.example",
    JWT_KEYS: key,
    SECRETS_KEYS: key,
    VAPID_KEY: Buffer.alloc(32, 1).toString("base64url"),
  };
  const durations = catalogue.filter(([, variable]) => meaning(variable, "1s") === 1_000);

  it("takes the defaults of every duration", () => {
    expect(durations.length).toBeGreaterThan(10);
    expect(faultsOf(production)).toEqual([]);
  });

  it("refuses durations that only tests wait for, but that a used refresh token may be dead at once and the schema not be waited for", () => {
    const short = Object.fromEntries(durations.map(([name]) => [name, "0s"]));
    const free = ["SCHEMA_WAIT", "REFRESH_GRACE"];
    const refused = durations.map(([name]) => name).filter((name) => !free.includes(name));
    expect(faultsOf({ ...production, ...short })).toEqual(refused);
  });
});

describe("what leads push messages to addresses of a test", () => {
  const given = { DATABASE_URL: "postgres://given", PUBLIC_BASE_URL: "https://community.example" };
  const keys = {
    JWT_KEYS: key,
    SECRETS_KEYS: key,
    VAPID_KEY: Buffer.alloc(32, 1).toString("base64url"),
  };

  it.each([
    ["PUSH_DNS", "127.0.0.1:53"],
    ["PUSH_ALLOW_PRIVATE_FOR_TESTS", "true"],
  ])("%s is refused in production", (name, value) => {
    const faultsIn = (NODE_ENV: string) => faultsOf({ ...given, ...keys, [name]: value, NODE_ENV });
    expect([faultsIn("production"), faultsIn("development")]).toEqual([[name], []]);
  });
});

describe("a password of the environment", () => {
  const given = { DATABASE_URL: "postgres://given", JWT_KEYS: key, SECRETS_KEYS: key };

  it.each(["ADMIN_PASSWORD", "DEMO_PASSWORD"])("%s is as long as people count", (name) => {
    const faultsAt = (length: number) => faultsOf({ ...given, [name]: "\u{1F511}".repeat(length) });
    expect([faultsAt(8), faultsAt(1024)]).toEqual([[], []]);
    expect([faultsAt(7), faultsAt(1025)]).toEqual([[name], [name]]);
  });
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

  it("runs the processes of the Procfile, which are those the service knows, as one machine does", () => {
    const checked = "--import ./require-node.js";
    const flags = `${checked} ${nodeFlags.join(" ")}`;
    const groups = queueGroups.map((name) => ({ name, flags, file: "jobs/worker.ts", args: name }));
    // The first has the port that a runner of Procfiles is told: it counts from there.
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

  it("starts one process of each kind, and none for a single group of queues", () => {
    const one = processKinds.map((name) => [name, { quantity: 1, max_parallel: 1 }]);
    const none = queueGroups.map((name) => [name, { quantity: 0, max_parallel: 1 }]);
    expect(manifest.formation).toEqual(Object.fromEntries([...one, ...none]));
  });

  it("sets and asks for nothing but variables of the catalogue and of PostgreSQL's own client", () => {
    const names = Object.keys(manifest.env).filter((name) => name !== "PGSSLMODE");
    expect(names.filter((name) => !Object.hasOwn(variables, name))).toEqual([]);
  });

  it("says how many connections each process holds beside its pool", () => {
    const said = manifest.env["DATABASE_POOL"]?.description ?? "";
    const besides = /a worker holds (\d+) besides, ingest (\d+), web (\d+)/.exec(said)?.slice(1);
    const kinds = ["worker", "ingest", "web"] as const;
    const needs = kinds.map((kind) => String(connectionNeed(kind, { DATABASE_POOL: 0 })));
    expect(besides).toEqual(needs);
  });

  it("sets values that production takes, and asks for all that it refuses to do without", () => {
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
    "npm run %s tells a Node that is too old before that stumbles over TypeScript",
    (name) => {
      expect(scripts[name]).toMatch(/^node --import \.\/require-node\.js .*\.ts\b/);
    },
  );

  it("runs on the Node that the version file names", () => {
    const named = read(".nvmrc").trim();
    expect(`${named.split(".")[0]}.x`).toBe(engines.node);
  });
});

describe("the tries that the texts tell of", () => {
  const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  const about = (name: string) => examples.find((example) => example.name === name)?.about;

  it.each([
    ["MAIL_RETRY", queues["auth.send-mail"].retries + 1],
    ["PUSH_RETRY", triesPerPush],
    ["WEBHOOK_RETRY", triesPerHook],
  ])("by %s are as many as are made", (name, tries) => {
    expect(about(name)).toContain(`wait before the second of the ${words[tries]} tries `);
  });

  it("of a webhook's message in the documents are as many, too", () => {
    const again = new RegExp(`${words[triesPerHook - 1]} more tries within`, "i");
    expect(read("docs/clients/webhooks.md")).toMatch(again);
  });
});

describe("the health of a process", () => {
  it.each([
    ["127.0.0.1", "127.0.0.1"],
    ["0.0.0.0", "127.0.0.1"],
    ["::", "127.0.0.1"],
    ["::1", "[::1]"],
    ["localhost", "localhost"],
  ])("that listens on %s is asked for at %s", async (host, asked) => {
    const environment = {
      JWT_KEYS: key,
      SECRETS_KEYS: key,
      INTERNAL_HOST: host,
      INTERNAL_PORT: "3001",
    };
    const plan = await makePlan({ demo: false, verbose: false }, environment);
    const url = new URL(healthUrl(plan, "worker"));
    expect(url.href).toBe(`http://${asked}:3003/internal/health`);
  });
});

/** Names of the variables that the environment must still set or set right. */
function faultsOf(environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    return [...String(error).matchAll(/^ {2}(\w+)/gm)].map(([, name = ""]) => name);
  }
}
