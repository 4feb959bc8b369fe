import { observeIngest } from "../shared/ops/ingest-metrics.ts";
import { startProcess } from "../shared/ops/start-process.ts";
import { countNeededConnections } from "../shared/platform/db/connection/connection.ts";
import { SourceKeeper } from "../shared/platform/ingest/source-keeper.ts";
import { shardSource } from "../shared/shard/ingest/shard-source.ts";
import { followSurvivalServers } from "../shared/survival/ingest/survival-source.ts";
import { watchServers } from "../shared/survival/ingest/watch-servers.ts";

const { config, context, registry, parts, begin } = await startProcess("ingest");
const keeper = new SourceKeeper(context);
observeIngest(registry, keeper);
parts.push({ name: "ingest", stop: () => keeper.stop() });
parts.push(await followSurvivalServers(keeper, [shardSource(context)], context));
parts.push(await watchServers(keeper, context));
const connections = countNeededConnections("ingest", config, keeper.names.length);
begin(
  { sources: keeper.names, connections },
  "ready to become the owner or the standby of the sources",
);
