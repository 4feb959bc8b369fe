import type { Context } from "../../context.ts";
import type { SourceKeeper } from "../../ingest/source-keeper.ts";
import type { Source } from "../../ingest/source.ts";
import type { Stoppable } from "../../process.ts";
import { survivalSource } from "./survival-source.ts";

/**
 * Has ingest keep the enabled survival servers beside other sources, and follow what administrators
 * make, disable and delete.
 * @returns what ends the following
 */
export async function keepSurvivalSources(
  keeper: SourceKeeper,
  others: readonly Source[],
  context: Context,
): Promise<Stoppable> {
  let isStopped = false;
  let reading = Promise.resolve();
  const follow = async (): Promise<void> => {
    const servers = await context.models.SurvivalServer.findAll({
      where: { enabled: true },
      attributes: ["id"],
      order: ["id"],
      raw: true,
    });
    const sources = servers.map(({ id }) => survivalSource(id, context));
    if (!isStopped) keeper.keep([...others, ...sources]);
  };
  const followAgain = (): void => {
    reading = reading.then(follow).catch((error: unknown) => {
      context.log.warn({ err: error }, "the survival servers could not be read");
      if (!isStopped) setTimeout(followAgain, retryMs).unref();
    });
  };
  const ends = [
    context.listener.on("survival_servers", followAgain),
    context.listener.onGap(followAgain),
  ];
  await context.startWait.for(follow);
  const stop = async (): Promise<void> => {
    isStopped = true;
    for (const end of ends) end();
    await reading;
  };
  return { name: "survival servers", stop };
}

const retryMs = 1_000;
