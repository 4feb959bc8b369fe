import type { SiteContext } from "../../../shared/ops/site-context.ts";
import { SourceKeeper } from "../../../shared/platform/ingest/source-keeper.ts";
import { keepSurvivalSources } from "../../../shared/survival/ingest/survival-source.ts";
import { watchServers } from "../../../shared/survival/ingest/watch-servers.ts";

/**
 * Takes in the survival servers in this process and looks at them, as the ingest process does.
 * @param connected ends when they are there: however slow the machine is, that is the first sight
 */
export async function startSurvivalIngest(
  context: SiteContext,
  connected: () => Promise<void>,
): Promise<{ stop(): Promise<void> }> {
  const keeper = new SourceKeeper(context);
  const following = await keepSurvivalSources(keeper, [], context);
  await connected();
  const watching = await watchServers(keeper, context);
  const stop = async () => {
    await watching.stop();
    await following.stop();
    await keeper.stop();
  };
  return { stop };
}
