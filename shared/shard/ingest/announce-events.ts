import { type Announcement, tell } from "../../facts/tell.ts";
import type { Context } from "../../platform/context.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Push } from "../kinds/kind.ts";
import type { StateEvent } from "../states/state-event.ts";
import { pushOf } from "../streams/projection.ts";
import { accountIn, readOwners } from "./account-owners.ts";

interface Announcing {
  readonly source: string;
  /** Serials of houses that were in danger of collapse (IDOC) before the part changed them. */
  readonly idocs: ReadonlySet<string>;
  readonly connection: Sql;
  readonly context: Pick<Context, "queue" | "log">;
}

/** Announces new events of a part to their push streams, after the part has updated the links. */
export async function announceEvents(
  events: readonly StateEvent[],
  { source, idocs, connection, context }: Announcing,
): Promise<void> {
  const pushed = events.flatMap((event): Pushed[] => {
    const { frame, payload } = event;
    const push = pushOf(frame.kind, payload, { wasIdoc: idocs.has(String(payload["serial"])) });
    if (!push) return [];
    return [{ event, push, account: push.personal && accountIn(payload, push.personal.owner) }];
  });
  if (pushed.length === 0) return;
  const read = async (): Promise<Announcement[]> => {
    const accounts = pushed.flatMap(({ account }) => account ?? []);
    const owners = await readOwners(accounts, connection);
    return pushed.flatMap((one) => announcementsOf(source, one, owners));
  };
  await tell({ announcements: read }, { within: connection, context });
}

interface Pushed {
  readonly event: StateEvent;
  readonly push: Push;
  /** Key of the game account whose owner is notified, if the event names one. */
  readonly account: string | null | undefined;
}

function announcementsOf(
  source: string,
  { event, push, account }: Pushed,
  owners: ReadonlyMap<string, number>,
): Announcement[] {
  const { frame, payload, id } = event;
  const common = {
    ref: push.refOf?.(payload) ?? String(id),
    key: `${source} ${keyOf(event, push)}`,
    happenedAt: frame.t,
    shardEventId: id,
  };
  const userId = owners.get(account ?? "");
  return [
    ...(push.public ? [{ ...common, stream: push.public }] : []),
    ...(push.personal && userId !== undefined
      ? [{ ...common, stream: push.personal.stream, userId }]
      : []),
  ];
}

/** Returns the key that identifies a repeated event: its news, its event key or its stream position. */
function keyOf({ frame, payload }: StateEvent, push: Push): string {
  if (push.newsOf) return `news ${push.newsOf(payload)}`;
  return frame.eventKey === null ? `at ${frame.epoch} ${frame.seq}` : `key ${frame.eventKey}`;
}
