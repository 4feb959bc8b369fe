import { registerIngestMetrics } from "../shared/ops/ingest-metrics.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import { countNeededConnections } from "../shared/platform/db/connection/connection.ts";
import { SourceSupervisor } from "../shared/platform/ingest/source-supervisor.ts";
import { createShardSource } from "../shared/shard/ingest/shard-source.ts";
import { superviseSurvivalServers } from "../shared/survival/ingest/survival-source.ts";
import { watchServers } from "../shared/survival/ingest/watch-servers.ts";

const { config, context, registry, parts, begin } = await startProcess("ingest");
const supervisor = new SourceSupervisor(context);
registerIngestMetrics(registry, supervisor);
parts.push({ name: "ingest", stop: () => supervisor.stop() });
parts.push(await superviseSurvivalServers(supervisor, [createShardSource(context)], context));
parts.push(await watchServers(supervisor, context));
const connections = countNeededConnections("ingest", config, supervisor.names.length);
begin(
  { sources: supervisor.names, connections },
  "ready to become the owner or the standby of the sources",
);
