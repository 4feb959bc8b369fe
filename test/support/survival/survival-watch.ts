import type { SiteContext } from "../../../shared/ops/site-context.ts";
import { SourceSupervisor } from "../../../shared/platform/ingest/source-supervisor.ts";
import { superviseSurvivalServers } from "../../../shared/survival/ingest/survival-source.ts";
import { watchServers } from "../../../shared/survival/ingest/watch-servers.ts";

/**
 * Ingests and watches the survival servers in the test process, as an ingest process does.
 * @param connected resolves when the servers are connected; the watching begins only then, because
 * a slow machine may take long
 */
export async function startSurvivalWatch(
  context: SiteContext,
  connected: () => Promise<void>,
): Promise<{ stop(): Promise<void> }> {
  const keeper = new SourceSupervisor(context);
  const following = await superviseSurvivalServers(keeper, [], context);
  await connected();
  const watching = await watchServers(keeper, context);
  const stop = async () => {
    await watching.stop();
    await following.stop();
    await keeper.stop();
  };
  return { stop };
}
