import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { startHeartbeat } from "../../shared/platform/job-records/processes.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { type ApiAnswer, callRoute } from "../support/http/call.ts";
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "../support/service/server.ts";
import { startTestWorker } from "../support/service/worker.ts";

/** A server, a worker for imports, an administrator, and a folder for files. */
export interface ImportTestSite {
  readonly server: TestServer;
  readonly admin: SignedIn;
  /** The folder in which tests create the files to import. */
  readonly folder: string;
  /** Sends a request as the administrator. */
  ask(route: string, body?: unknown): Promise<ApiAnswer>;
  /** Stops the worker, so that workers of the test take the imports. */
  stopWorker(): Promise<void>;
  stop(): Promise<void>;
}

export async function startImportTestSite(
  options: TestServerOptions = {},
): Promise<ImportTestSite> {
  const server = await startTestServer(options);
  const worker = await startTestWorker(server, ["imports"]);
  const row = await startHeartbeat(server.context, "worker", ["imports"]);
  const admin = await signIn(server, { role: "admin" });
  const folder = newFolder();
  let isStopped = false;
  const stopWorker = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await row.stop();
    await worker.stop();
  };
  return {
    server,
    admin,
    folder,
    ask: (route, body) =>
      callRoute(server, route, { headers: admin.headers, ...(body !== undefined && { body }) }),
    stopWorker,
    stop: async () => {
      await stopWorker();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), "guildhall-import-"));

/** Contents of files by path. Missing folders are created. */
export type FileContents = Readonly<Record<string, string | Buffer>>;

export async function writeFiles(root: string, files: FileContents): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
