import { rows } from "../../platform/db/rows.ts";
import type { SourceSupervisor } from "../../platform/ingest/source-supervisor.ts";
import type { CommandFrameSourceOptions, GameServerSource } from "../../platform/ingest/source.ts";
import { notify } from "../../platform/notify/channels.ts";
import type { Stoppable } from "../../platform/process/process.ts";
import type { SurvivalContext } from "../context.ts";
import { LivePositionPublisher } from "../map/live-publisher.ts";
import { serverLinkColumns, serverLinkOf } from "../server-link.ts";
import { ingestSourceNameSql, sourceNameOf } from "../server-locks.ts";
import { ConsoleFeed } from "../webrcon/console-feed.ts";
import { consoleStore } from "../webrcon/console-store.ts";
import { requestStaleStates } from "./stale.ts";
import { survivalHandlers } from "./survival-game.ts";

/** Ingests the enabled survival servers, and starts or stops ingest when an administrator changes them. */
export async function superviseSurvivalServers(
  supervisor: SourceSupervisor,
  others: readonly GameServerSource[],
  context: SurvivalContext,
): Promise<Stoppable> {
  let isStopped = false;
  let reading = Promise.resolve();
  const follow = async (): Promise<void> => {
    // Include disabled servers with unhandled events, because the site has acknowledged these events to the
    // plugin.
    const servers = await rows<{ id: number }>(
      context.sequelize,
      `select id from survival_servers where enabled or exists (
         select from plugin_inbox where source = ${ingestSourceNameSql("survival_servers.id")}
           and plugin_inbox.kind = 'events') order by id`,
    );
    const sources = servers.map(({ id }) => createSurvivalSource(id, context));
    if (!isStopped) supervisor.keep([...others, ...sources]);
  };
  const reload = (): void => {
    reading = reading.then(follow).catch((error: unknown) => {
      context.log.warn({ err: error }, "the survival servers could not be read");
      if (!isStopped) setTimeout(reload, retryMs).unref();
    });
  };
  const ends = [context.listener.on("survival_servers", reload), context.listener.onGap(reload)];
  await context.startWait.for(follow);
  const stop = async (): Promise<void> => {
    isStopped = true;
    for (const end of ends) end();
    await reading;
  };
  return { name: "survival servers", stop };
}

const retryMs = 1_000;

export const createSurvivalSource = (
  serverId: number,
  context: SurvivalContext,
): GameServerSource => {
  const live = new LivePositionPublisher(serverId, context);
  return {
    name: sourceNameOf(serverId),
    readLink: async () => {
      const { models, config } = context;
      const stored = await models.SurvivalServer.findByPk(serverId, {
        attributes: [...serverLinkColumns],
        raw: true,
      });
      const link = stored?.enabled ? serverLinkOf(stored, config.SECRETS_KEYS) : null;
      if (!link) return null;
      const connect = () => context.survival.connect(link);
      if (link.kind !== "webrcon") return { ...link, connect };
      return {
        ...link,
        connect,
        openFeed: (options: CommandFrameSourceOptions) =>
          new ConsoleFeed(link, { ...options, store: consoleStore(serverId, context.sequelize) }),
      };
    },
    onChange: (changed) =>
      context.listener.on("survival_servers", (notification) => {
        if (notification.serverId === serverId) changed();
      }),
    tellLinkState: (connection) => notify("survival_states", { serverId }, connection),
    questions: [requestStaleStates],
    game: survivalHandlers({ serverId, live }, context),
  };
};
