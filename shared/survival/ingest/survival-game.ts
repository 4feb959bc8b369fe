import { executeStatement } from "../../platform/db/rows.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { GameHandlers, StoredBatch } from "../../platform/ingest/store-part.ts";
import { notify } from "../../platform/notify/channels.ts";
import { maxTime } from "../kinds/fields.ts";
import type { FrameHandlerContext, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalKindName } from "../kinds/kinds.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";
import { findNotificationMaker } from "../notifications/makers.ts";
import { sendNotifications } from "../notifications/send.ts";
import { StorageQuota } from "../storage/quota.ts";
import { requestSync } from "../sync/request-sync.ts";
import { syncNames } from "../sync/sync-kind.ts";
import { checkPayload, isEventFrame, maskFrameSecrets } from "./check-payload.ts";
import { switchGameProcessSql } from "./events.sql.ts";
import { findFrameHandler } from "./handlers.ts";
import { insertEvents, type SurvivalFrameInsertResult } from "./insert-events.ts";
import { markStatesStale } from "./stale.ts";

interface ServerTarget {
  readonly serverId: number;
  readonly live: FrameHandlerContext["live"];
}

/** Returns the functions with which ingest processes a survival server's frames. */
export const survivalHandlers = (
  server: ServerTarget,
  context: FrameHandlerContext["context"],
): GameHandlers<SurvivalFrameInsertResult, readonly SurvivalNotification[]> => {
  const { serverId } = server;
  const bounds = context.config.SURVIVAL_BOUNDS;
  return {
    check: checkPayload,
    hasEffects: ({ frame }) =>
      findFrameHandler(frame.kind) !== undefined || findNotificationMaker(frame.kind) !== undefined,
    maskFrame: maskFrameSecrets,
    markStale: markStatesStale,
    insert: (part, connection) => insertEvents(part, { serverId, bounds }, connection),
    replaceBoot: async ({ source, bootId }, connection) => {
      await executeStatement(connection, switchGameProcessSql, [source, bootId, serverId]);
      await notify("survival_states", { serverId }, connection);
    },
    project: async (part, { kept }, connection) => {
      const notices: SurvivalNotification[] = [];
      const tell = (notice: SurvivalNotification): void => void notices.push(notice);
      const room = new StorageQuota({ serverId, connection, bounds, kept: kept ?? {} });
      const { fence } = part.owner;
      await handleEvents(part, { ...server, connection, context, room, fence, tell });
      return notices;
    },
    notifyDomains: (notices, connection) => sendNotifications(notices, connection, context),
  };
};

/** Calls the handlers for each state and each newly stored event. */
async function handleEvents(
  { events, ids }: StoredBatch,
  ground: FrameHandlerContext,
): Promise<void> {
  for (const event of events) {
    const id = ids.get(event.frame.seq) ?? null;
    if (isEventFrame(event) && id === null) continue;
    const taken = toReceivedFrame(event, id);
    await findFrameHandler(event.frame.kind)?.(taken, ground);
    const notice = findNotificationMaker(event.frame.kind)?.(taken);
    if (notice) ground.tell({ ...notice, serverId: ground.serverId });
  }
  const kinds = new Set(events.map(({ frame }) => frame.kind));
  if (kinds.has("server.hello")) await enqueueSync(ground);
  if (streamedStates.some((kind) => kinds.has(kind))) {
    await notify("survival_states", { serverId: ground.serverId }, ground.connection);
  }
}

/** The kinds that change a state on the public stream of a server. */
const streamedStates = [
  "server.hello",
  "server.status",
  "world.ready",
  "world.wiped",
  "player.online",
  "player.joined",
  "player.left",
  "clan.roster",
] as const satisfies readonly SurvivalKindName[];

/** The game may have lost data or missed changes while it was disconnected, so synchronize everything. */
const enqueueSync = ({ serverId, context, connection }: FrameHandlerContext): Promise<void> =>
  requestSync({ names: syncNames, serverIds: [serverId], reason: "hello" }, context, connection);

const toReceivedFrame = (
  { frame, payload, rowsLeftOut }: CheckedEvent,
  id: number | null,
): ReceivedFrame<CheckedEvent["payload"]> => ({
  payload,
  rowsLeftOut,
  id,
  // Limit the time, because a game's clock may have any value.
  t: Math.min(frame.t, maxTime),
  bootId: frame.bootId,
  saveId: frame.saveId ?? null,
  eventKey: frame.eventKey,
  replay: frame.replay,
});
