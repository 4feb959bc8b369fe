import { rmSync } from "node:fs";

export default async function globalTeardown(): Promise<void> {
  if (!globalThis.testPostgres) return;
  const { server, folder } = globalThis.testPostgres;
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
