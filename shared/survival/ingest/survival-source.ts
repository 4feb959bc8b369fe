import { rows } from "../../platform/db/rows.ts";
import type { SourceKeeper } from "../../platform/ingest/source-keeper.ts";
import type { Source } from "../../platform/ingest/source.ts";
import { storePart } from "../../platform/ingest/store-part.ts";
import type { Stoppable } from "../../platform/process/process.ts";
import type { SurvivalContext } from "../context.ts";
import { LiveHandOver } from "../map/live-hand-over.ts";
import { serverLinkColumns, serverLinkOf } from "../server-link.ts";
import { sourceNameSql, sourceNameOf } from "../server-rows.ts";
import { askForStates } from "./stale.ts";
import { survivalGame } from "./survival-game.ts";

/** Ingests the enabled survival servers and follows changes by administrators. */
export async function keepSurvivalSources(
  keeper: SourceKeeper,
  others: readonly Source[],
  context: SurvivalContext,
): Promise<Stoppable> {
  let isStopped = false;
  let reading = Promise.resolve();
  const follow = async (): Promise<void> => {
    // Also servers that are disabled now: events acknowledged to their plugin must be stored.
    const servers = await rows<{ id: number }>(
      context.sequelize,
      `select id from survival_servers where enabled or exists (
         select from plugin_inbox where source = ${sourceNameSql("survival_servers.id")}
           and plugin_inbox.kind = 'events') order by id`,
    );
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

export const survivalSource = (serverId: number, context: SurvivalContext): Source => {
  const live = new LiveHandOver(serverId, context);
  const game = survivalGame({ serverId, live }, context);
  return {
    name: sourceNameOf(serverId),
    readLink: async () => {
      const { models, config } = context;
      const stored = await models.SurvivalServer.findByPk(serverId, {
        attributes: [...serverLinkColumns],
        raw: true,
      });
      const link = stored?.enabled ? serverLinkOf(stored, config.SECRETS_KEYS) : null;
      return link && { ...link, connect: () => context.survival.connect(link) };
    },
    onChange: (changed) =>
      context.listener.on("survival_servers", (told) => {
        if (told.serverId === serverId) changed();
      }),
    questions: [askForStates],
    beginsPart: () => false,
    storePart: (frames, owner) => storePart(frames, owner, game),
  };
};
