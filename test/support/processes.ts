import { freePort } from "../../shared/local/ports.ts";
import type { TestDatabase } from "./database.ts";
import { OwnProcess } from "./own-process.ts";
import { testEnvironment } from "./server.ts";

/** A real API process with nothing but the database in common with the tests. */
export interface ApiProcess {
  readonly url: string;
  /** Ends it in order, as a deploy would. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

const host = "127.0.0.1";

/** Starts `node api/server.ts` and waits until it is ready. */
export async function startApiProcess(
  database: TestDatabase,
  environment: NodeJS.ProcessEnv = {},
): Promise<ApiProcess> {
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = new OwnProcess({
    name: "web",
    file: "api/server.ts",
    readyAt: `http://${host}:${internalPort}/internal/health?probe=ready`,
    environment: {
      ...testEnvironment(database.url),
      HOST: host,
      PORT: String(port),
      INTERNAL_PORT: String(internalPort),
      ...environment,
    },
  });
  await child.start();
  return { url: `http://${host}:${port}`, stop: () => child.stop(), kill: () => child.kill() };
}
