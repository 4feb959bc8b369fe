import { defineModels } from "../../../models/index.ts";
import { loadConfig } from "../../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../../shared/platform/db/connection/connection.ts";
import { ensureFirstAdmin, type FirstAdmin } from "../accounts/first-admin.ts";
import { checkDatabase } from "../checks/database.ts";
import { LaunchError } from "../launch/launch-error.ts";
import { runScript, type Script } from "../launch/script.ts";
import { type ServerScript, startServerScript } from "../launch/server-process.ts";
import { type StartFunction, Supervisor } from "../launch/supervisor.ts";
import { claimFolder } from "../own-database/claim.ts";
import { startOwnDatabase } from "../own-database/database.ts";
import { buildApiDescriptionScript, isDescriptionStale } from "./api-description.ts";
import { chooseDemoSurvivalServers, demoSurvivalScript } from "./demo-survival.ts";
import {
  chooseDemoShard,
  type DemoAccount,
  demoContentScript,
  demoPageScript,
  demoProviderScript,
  demoReceiverScript,
  demoShardScript,
  buildWorldImportScript,
  newDemoSecrets,
} from "./demo.ts";
import { type LaunchPlan, requireFreePorts } from "./plan.ts";
import { serverScripts } from "./processes.ts";

interface Stoppable {
  stop(): Promise<void>;
}

export interface StartResult {
  /** The created administrator; null if there was one already. */
  readonly firstAdmin: FirstAdmin | null;
  readonly demoAccounts: readonly DemoAccount[];
}

/** One machine that runs everything: database, processes, and the demo if requested. */
export class StandaloneSite {
  readonly #plan: LaunchPlan;
  readonly #say: (line: string) => void;
  readonly #stopping = new AbortController();
  readonly #processes: Stoppable[] = [];
  /** The data folder, the database and the demo's programs. They stop after the processes, in reverse order. */
  readonly #infrastructure: Stoppable[] = [];
  #starting: Promise<StartResult> | undefined;
  #importing: Promise<void> | undefined;
  #databaseUrl = "";

  constructor(plan: LaunchPlan, say: (line: string) => void) {
    this.#plan = plan;
    this.#say = say;
  }

  /** @throws {LaunchError} if a program does not become ready; the programs that have started keep running */
  start(): Promise<StartResult> {
    this.#starting ??= this.#startAll();
    return this.#starting;
  }

  /** Imports the demo's world, unless that was done before. A failure is printed, and everything keeps running. */
  importDemo(): Promise<void> {
    this.#importing ??= this.#importWorld().catch((error: Error) => {
      if (!this.#stopping.signal.aborted) this.#say(error.message.replaceAll(/\s+/g, " "));
    });
    return this.#importing;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#starting?.catch(() => undefined);
    await this.#importing;
    await Promise.all(this.#processes.map((part) => part.stop()));
    for (const part of this.#infrastructure.toReversed()) await part.stop();
  }

  async #startAll(): Promise<StartResult> {
    const { databaseUrl: given, folder } = this.#plan;
    if (given === undefined) this.#infrastructure.push({ stop: await claimFolder(folder) });
    await requireFreePorts(this.#plan);
    const described = this.#describeApi();
    const databaseUrl = given ?? (await this.#startDatabase());
    this.#databaseUrl = databaseUrl;
    const firstAdmin = await this.#prepareDatabase(databaseUrl);
    const demoAccounts = this.#plan.demo ? await this.#startDemo(databaseUrl) : [];
    await described;
    const scripts = serverScripts(this.#plan, databaseUrl);
    await Promise.all(scripts.map((script) => this.#superviseScript(script, this.#processes)));
    return { firstAdmin, demoAccounts };
  }

  async #startDatabase(): Promise<string> {
    const { folder } = this.#plan;
    let port: number | undefined;
    let url = "";
    const start = async () => {
      const database = await startOwnDatabase({ folder, port, onLog: this.#logDatabase });
      ({ port, url } = database);
      return database;
    };
    await this.#supervise("database", start, this.#infrastructure);
    return url;
  }

  /** Updates an outdated API description; a failure only affects the docs. */
  async #describeApi(): Promise<void> {
    if (!isDescriptionStale()) return;
    const script = buildApiDescriptionScript(this.#plan.environment);
    await runScript(script, this.#stopping.signal).catch((error: Error) => {
      if (!this.#stopping.signal.aborted) this.#say(error.message);
    });
  }

  async #prepareDatabase(databaseUrl: string): Promise<FirstAdmin | null> {
    const environment = { ...this.#plan.environment, DATABASE_URL: databaseUrl };
    const config = loadConfig(environment);
    const sequelize = createConnectionPool(config, "start");
    try {
      const { status, detail, fix } = await checkDatabase(sequelize);
      this.#stopping.signal.throwIfAborted();
      if (status !== "ok") throw new LaunchError(`The database ${detail}: ${fix}`);
      this.#announce("database", `${detail} at ${new URL(databaseUrl).host}`);
      const script = { name: "migrations", file: "jobs/commands/migrate.ts", environment };
      await this.#run(script);
      this.#announce("schema", "up to date");
      return await ensureFirstAdmin({ config, sequelize, models: defineModels(sequelize) });
    } finally {
      await sequelize.close();
    }
  }

  async #startDemo(databaseUrl: string): Promise<readonly DemoAccount[]> {
    const shard = await chooseDemoShard();
    const survival = await chooseDemoSurvivalServers();
    const secrets = newDemoSecrets();
    const provider = demoProviderScript(this.#plan, secrets);
    // Start the provider first: the site contacts a provider when it is configured.
    await this.#superviseScript(provider, this.#infrastructure);
    const content = demoContentScript(this.#plan, databaseUrl, {
      ...shard,
      ...secrets,
      survival,
    });
    const output = await this.#run(content);
    const accounts = JSON.parse(output) as readonly DemoAccount[];
    this.#announce(
      "content",
      "accounts, links to the game servers and one to the sign-in provider",
    );
    const scripts = [
      demoShardScript(this.#plan, shard, accounts),
      ...survival.map((server) => demoSurvivalScript(this.#plan, server)),
      demoPageScript(this.#plan),
      demoReceiverScript(this.#plan),
    ];
    await Promise.all(scripts.map((script) => this.#superviseScript(script, this.#infrastructure)));
    return accounts;
  }

  async #importWorld(): Promise<void> {
    if (!this.#plan.demo) return;
    const script = buildWorldImportScript(this.#plan, this.#databaseUrl);
    const output = await this.#run(script);
    const imported = JSON.parse(output) as readonly string[];
    if (imported.length > 0) this.#announce("world", `imported: ${imported.join(", ")}`);
  }

  /** Runs a program to its end. Throws if a stop was requested meanwhile. */
  async #run(script: Script): Promise<string> {
    const { signal } = this.#stopping;
    const output = await runScript(script, signal);
    signal.throwIfAborted();
    return output;
  }

  async #superviseScript(script: ServerScript, parts: Stoppable[]): Promise<void> {
    const start = (signal: AbortSignal) => startServerScript(script, signal, this.#say);
    await this.#supervise(script.name, start, parts);
    this.#announce(script.name, "ready");
  }

  async #supervise(name: string, start: StartFunction, parts: Stoppable[]): Promise<void> {
    const { signal } = this.#stopping;
    signal.throwIfAborted();
    const supervised = new Supervisor({ name, start, signal, say: this.#say });
    // Add the program before it starts, so that a failure of another program stops it too.
    parts.push(supervised);
    await supervised.start();
    signal.throwIfAborted();
  }

  #announce(name: string, line: string): void {
    this.#say(`${name.padEnd(10)}${line}`);
  }

  readonly #logDatabase = (text: string): void => {
    if (/PANIC/.test(text)) this.#say(text.trimEnd());
  };
}
