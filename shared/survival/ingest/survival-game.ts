import { countChanged } from "../../platform/db/rows.ts";
import type { CheckedEvent } from "../../platform/ingest/check-frames.ts";
import type { Game, Part } from "../../platform/ingest/store-part.ts";
import { lastMoment } from "../kinds/fields.ts";
import type { Ground, TakenIn } from "../kinds/handler.ts";
import type { Notice } from "../kinds/notice.ts";
import { noticeOf } from "../notices/notices.ts";
import { tellNotices } from "../notices/tell.ts";
import { askForPush } from "../pushes/ask-for-push.ts";
import { pushNames } from "../pushes/push-kind.ts";
import { StorageRoom } from "../storage/room.ts";
import { checkPayload, isHappening, withoutSecrets } from "./check-payload.ts";
import { leaveBoot } from "./events.sql.ts";
import { handlerOf } from "./handlers.ts";
import { insertEvents, type StoredSurvivalPart } from "./insert-events.ts";
import { markStale } from "./stale.ts";

interface Server {
  readonly serverId: number;
  readonly live: Ground["live"];
}

/** The kinds of a survival server's frames, with their handlers and notifications. */
export const survivalGame = (
  server: Server,
  context: Ground["context"],
): Game<StoredSurvivalPart, readonly Notice[]> => {
  const { serverId } = server;
  const bounds = context.config.SURVIVAL_BOUNDS;
  return {
    check: checkPayload,
    hasEffects: ({ frame }) =>
      handlerOf(frame.kind) !== undefined || noticeOf(frame.kind) !== undefined,
    cover: withoutSecrets,
    markStale,
    insert: (part, connection) => insertEvents(part, { serverId, bounds }, connection),
    leaveBoot: async ({ source, bootId }, connection) => {
      await countChanged(connection, leaveBoot, [source, bootId, serverId]);
    },
    project: async (part, { ids, kept }, connection) => {
      const notices: Notice[] = [];
      const tell = (notice: Notice): void => void notices.push(notice);
      const room = new StorageRoom({ serverId, connection, bounds, kept });
      const { fence } = part.owner;
      await handleEvents(part, ids, { ...server, connection, context, room, fence, tell });
      return notices;
    },
    tell: (notices, connection) => tellNotices(notices, connection, context),
  };
};

/** Calls the handler of its kind for each state and each newly stored event. */
async function handleEvents(
  { events }: Part,
  ids: ReadonlyMap<number, number>,
  ground: Ground,
): Promise<void> {
  for (const event of events) {
    const id = ids.get(event.frame.seq) ?? null;
    if (isHappening(event) && id === null) continue;
    const taken = takenIn(event, id);
    await handlerOf(event.frame.kind)?.(taken, ground);
    const notice = noticeOf(event.frame.kind)?.(taken);
    if (notice) ground.tell({ ...notice, serverId: ground.serverId });
  }
  if (events.some(({ frame }) => frame.kind === "server.hello")) await askOnReturn(ground);
}

/** The game may have lost synchronized data or missed decisions, so synchronize everything. */
const askOnReturn = ({ serverId, context, connection }: Ground): Promise<void> =>
  askForPush({ names: pushNames, serverIds: [serverId], reason: "hello" }, context, connection);

const takenIn = (
  { frame, payload, rowsLeftOut }: CheckedEvent,
  id: number | null,
): TakenIn<CheckedEvent["payload"]> => ({
  payload,
  rowsLeftOut,
  id,
  // A game's clock may have any value.
  t: Math.min(frame.t, lastMoment),
  bootId: frame.bootId,
  saveId: frame.saveId ?? null,
  eventKey: frame.eventKey,
  replay: frame.replay,
});
