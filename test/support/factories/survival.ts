import type { CreationAttributes } from "sequelize";

import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { sourceNameOf } from "../../../shared/survival/servers/source-name.ts";
import type { OnDatabase } from "../query.ts";

let made = 0;

/** By default one that is listed and off, as ingest knows it. */
export async function buildSurvivalServer(
  { context }: OnDatabase,
  given: Partial<CreationAttributes<SurvivalServer>> = {},
): Promise<SurvivalServer> {
  made += 1;
  const { SurvivalServer: Server, IngestSource } = context.models;
  const server = await Server.create({ slug: `server-${made}`, name: `Server ${made}`, ...given });
  await IngestSource.create({ source: sourceNameOf(server.id) });
  return server;
}
