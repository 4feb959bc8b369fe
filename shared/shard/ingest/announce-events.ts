import { type Announcement, publishFacts } from "../../facts/publish-facts.ts";
import type { Context } from "../../platform/context.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import type { PushRule } from "../kinds/kind.ts";
import type { StateEvent } from "../states/state-event.ts";
import { findPushRule } from "../streams/projection.ts";
import { readPayloadAccountKey, readAccountOwners } from "./account-owners.ts";

interface AnnounceContext {
  readonly source: string;
  /** The serials of houses that were in danger of collapse (IDOC) before these events. */
  readonly idocs: ReadonlySet<string>;
  readonly connection: SqlClient;
  readonly context: Pick<Context, "queue" | "log">;
}

/** Announces new events to their push streams. Call it after the links are updated with the same events. */
export async function announceEvents(
  events: readonly StateEvent[],
  { source, idocs, connection, context }: AnnounceContext,
): Promise<void> {
  const pushed = events.flatMap((event): PushedEvent[] => {
    const { frame, payload } = event;
    const push = findPushRule(frame.kind, payload, {
      wasIdoc: idocs.has(String(payload["serial"])),
    });
    if (!push) return [];
    return [
      {
        event,
        push,
        account: push.personal && readPayloadAccountKey(payload, push.personal.owner),
      },
    ];
  });
  if (pushed.length === 0) return;
  const read = async (): Promise<Announcement[]> => {
    const accounts = pushed.flatMap(({ account }) => account ?? []);
    const owners = await readAccountOwners(accounts, connection);
    return pushed.flatMap((one) => announcementsOf(source, one, owners));
  };
  await publishFacts({ announcements: read }, { within: connection, context });
}

interface PushedEvent {
  readonly event: StateEvent;
  readonly push: PushRule;
  /** Key of the game account whose owner is notified, if the event names one. */
  readonly account: string | null | undefined;
}

function announcementsOf(
  source: string,
  { event, push, account }: PushedEvent,
  owners: ReadonlyMap<string, number>,
): Announcement[] {
  const { frame, payload, id } = event;
  const common = {
    ref: push.subjectOf?.(payload) ?? String(id),
    key: `${source} ${announcementKey(event, push)}`,
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

/** Returns a key that repeated events share: a key of their kind, their event key or their stream position. */
function announcementKey({ frame, payload }: StateEvent, push: PushRule): string {
  if (push.dedupeKeyOf) return `news ${push.dedupeKeyOf(payload)}`;
  return frame.eventKey === null ? `at ${frame.epoch} ${frame.seq}` : `key ${frame.eventKey}`;
}
