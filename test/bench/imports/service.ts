import { Client } from "pg";

import { loadConfig } from "../../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../../shared/platform/db/connection/connection.ts";
import { createTestUser, logIn } from "../../support/accounts/sign-in.ts";
import { callRoute } from "../../support/http/call.ts";
import { testEnvironment } from "../../support/service/server.ts";
import { startServiceProcess, type ServiceProcess } from "../parts/processes.ts";

export type ImportName = "atlas" | "clilocs";

/** The processes of the service, and the calls of an administrator who imports. */
export interface ImportService {
  readonly web: ServiceProcess;
  /** Replaces the worker by a new one. */
  freshWorker(): Promise<ServiceProcess>;
  /** Sets the path from which an import reads. */
  readFrom(name: ImportName, path: string): Promise<void>;
  /**
   * Imports the source again, even if it is unchanged.
   * @returns milliseconds until the API reports the end of the import
   */
  importAnew(name: ImportName): Promise<number>;
  /** Deletes the record of the last import of texts, so that the next import does not skip them. */
  forgetClilocs(): Promise<void>;
  stop(): Promise<void>;
}

export async function startImportService(databaseUrl: string): Promise<ImportService> {
  const client = new Client(databaseUrl);
  await client.connect();
  const begun = await Promise.all([
    startServiceProcess("worker", databaseUrl),
    startServiceProcess("web", databaseUrl),
  ]);
  let [worker] = begun;
  const [, web] = begun;
  let hasImported = false;
  const headers = { cookie: await signInAdmin(web.url, databaseUrl) };
  const ask = async (route: string, body: object): Promise<unknown> => {
    const answered = await callRoute(web, route, { headers, body });
    if (answered.status !== 200) throw new Error(`${route} answered ${answered.text}`);
    return answered.body;
  };
  return {
    web,
    freshWorker: async () => {
      if (!hasImported) return worker;
      hasImported = false;
      await worker.stop();
      worker = await startServiceProcess("worker", databaseUrl);
      return worker;
    },
    readFrom: async (name, path) => void (await ask(`PUT /admin/shard/${name}/path`, { path })),
    importAnew: async (name) => {
      hasImported = true;
      const startedAt = performance.now();
      const result = await ask(`POST /admin/shard/${name}/import`, { force: true });
      const took = performance.now() - startedAt;
      const { status } = result as { status: string };
      if (status !== "imported") throw new Error(`${name}: ${JSON.stringify(result)}`);
      return took;
    },
    forgetClilocs: async () => {
      await client.query("delete from imported_sources where kind = 'clilocs'");
      await client.query("truncate clilocs");
    },
    stop: async () => {
      await Promise.all([web.stop(), worker.stop(), client.end()]);
    },
  };
}

/** Signs a new administrator in. @returns the session cookie */
async function signInAdmin(url: string, databaseUrl: string): Promise<string> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, "bench");
  const user = await createTestUser({ context: { config, sequelize } }, { role: "admin" });
  await sequelize.close();
  return logIn({ url }, user);
}
