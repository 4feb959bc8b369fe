import type { House } from "../../../models/shard/house.ts";
import type { ShardLink } from "../../../models/shard/shard-link.ts";
import { type Announcement, tell } from "../../facts/tell.ts";
import type { StreamFrame } from "../../platform/bridge/frames.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { undoneAlone } from "../../platform/db/savepoint.ts";
import type { Sql } from "../../platform/db/sql.ts";
import type { Push } from "../kinds/kind.ts";
import { findKind } from "../kinds/kinds.ts";
import { accountKey } from "../owners/link-mirror.ts";
import type { StateEvent } from "../states/state-event.ts";
import { pushOf } from "../streams/projection.ts";
import type { Fields } from "../visibility/view.ts";
import type { CheckedEvent } from "./checked-frames.ts";

/** Whether events of this kind may be pushed. */
export const concernsPush = ({ frame }: CheckedEvent): boolean =>
  findKind(frame.kind)?.push !== undefined;

/** How an event is pushed that rests on no state, if it is. */
const plainPushOf = ({ frame, payload }: CheckedEvent): Push | null =>
  pushOf(frame.kind, payload, { wasIdoc: false });

/** Whether an event that rests on no state is pushed to everybody who wants its stream. */
export const isForEverybody = (event: CheckedEvent): boolean =>
  plainPushOf(event)?.public !== undefined;

/** The accounts whose owners, where they are linked, are told of events that rest on no state. */
export const accountsTold = (events: readonly CheckedEvent[]): string[] =>
  events.flatMap((event) => {
    const push = plainPushOf(event);
    const account = push && accountOf({ event, push });
    return account === null ? [] : [account];
  });

/**
 * Whether an event must be the first of its part, since the events of a part are told of by the links as
 * the whole part leaves them, and by the houses as it meets them: one that moves the link of an account
 * whose owner may be told of an event before it; and one whose news rests on the house that it meets,
 * after others that move houses.
 * @param part the events before it
 */
export function beginsPart(frame: StreamFrame, part: readonly StreamFrame[]): boolean {
  if (frame.type !== "event") return false;
  const { feeds, push } = findKind(frame.kind) ?? {};
  if (feeds?.state === "links") {
    const moved = accountIn(frame.payload, "acct");
    return moved !== null && part.some((earlier) => accountToldOf(earlier) === moved);
  }
  if (push?.asksFacts?.(frame.payload) !== true) return false;
  return part.some((earlier) => feedOfFrame(earlier)?.state === feeds?.state);
}

const feedOfFrame = (frame: StreamFrame) =>
  frame.type === "event" ? findKind(frame.kind)?.feeds : undefined;

/** The account whose owner may be told of a frame. */
function accountToldOf(frame: StreamFrame): string | null {
  if (frame.type !== "event") return null;
  const personal = findKind(frame.kind)?.push?.personal;
  return personal ? accountIn(frame.payload, personal.owner) : null;
}

/**
 * The houses that stand at IDOC before the events of a part move them. Where that cannot be read all of
 * them count as such, so that none is announced twice; ingest does not fail of it.
 */
export async function readIdocs(
  events: readonly CheckedEvent[],
  connection: Sql,
  { log }: Pick<Context, "log">,
): Promise<ReadonlySet<string>> {
  const asking = events.filter(
    ({ frame, payload }) => findKind(frame.kind)?.push?.asksFacts?.(payload) === true,
  );
  if (asking.length === 0) return new Set();
  const asked = asking.map(({ payload }) => String(payload["serial"]));
  try {
    const found = await undoneAlone(connection, () =>
      rows<Pick<House, "serial">>(connection, idocs, [asked]),
    );
    return new Set(found.map(({ serial }) => serial));
  } catch (error) {
    log.error({ err: error }, "houses in danger are not announced");
    return new Set(asked);
  }
}

const idocs = "select serial from houses where serial = any($1) and stage = 'IDOC'";

interface Announcing {
  readonly source: string;
  readonly idocs: ReadonlySet<string>;
  readonly connection: Sql;
  readonly context: Pick<Context, "queue" | "log">;
}

/** Announces new events of a part, once it has moved the links, to the push streams of their kinds. */
export async function announceEvents(
  events: readonly StateEvent[],
  { source, idocs: standing, connection, context }: Announcing,
): Promise<void> {
  const pushed = events.flatMap((event) => {
    const wasIdoc = standing.has(String(event.payload["serial"]));
    const push = pushOf(event.frame.kind, event.payload, { wasIdoc });
    return push ? [{ event, push }] : [];
  });
  if (pushed.length === 0) return;
  const read = async (): Promise<Announcement[]> => {
    const owners = await readOwners(pushed, connection);
    return pushed.flatMap((one) => announcementsOf(source, one, owners));
  };
  await tell({ announcements: read }, { within: connection, context });
}

interface Pushed<Event extends CheckedEvent = StateEvent> {
  readonly event: Event;
  readonly push: Push;
}

const ownersOfAccounts = {
  name: "owners of accounts",
  text: `select account_key as "accountKey", user_id as "userId" from shard_links
    where account_key = any($1)`,
};

/** The users to whom the accounts are linked, by the accounts' keys. */
async function readOwners(
  pushed: readonly Pushed[],
  connection: Sql,
): Promise<ReadonlyMap<string, number>> {
  const accounts = pushed.map(accountOf).filter((account) => account !== null);
  if (accounts.length === 0) return new Map();
  const owners = await rows<Pick<ShardLink, "accountKey" | "userId">>(
    connection,
    ownersOfAccounts,
    [accounts],
  );
  return new Map(owners.map(({ accountKey: account, userId }) => [account, userId]));
}

function announcementsOf(
  source: string,
  { event, push }: Pushed,
  owners: ReadonlyMap<string, number>,
): Announcement[] {
  const { frame, payload, id } = event;
  const ref = push.refOf?.(payload) ?? String(id);
  const common = {
    ref,
    key: `${source} ${keyOf(event, push)}`,
    happenedAt: frame.t,
    shardEventId: id,
  };
  const userId = owners.get(accountOf({ event, push }) ?? "");
  return [
    ...(push.public ? [{ ...common, stream: push.public }] : []),
    ...(push.personal && userId !== undefined
      ? [{ ...common, stream: push.personal.stream, userId }]
      : []),
  ];
}

/** By what a repeated event is known: its news, its own key, or its place in the stream. */
function keyOf({ frame, payload }: StateEvent, push: Push): string {
  if (push.newsOf) return `news ${push.newsOf(payload)}`;
  return frame.eventKey === null ? `at ${frame.epoch} ${frame.seq}` : `key ${frame.eventKey}`;
}

const accountOf = ({ event, push }: Pushed<CheckedEvent>): string | null =>
  push.personal ? accountIn(event.payload, push.personal.owner) : null;

function accountIn(payload: Fields, field: string): string | null {
  const account = payload[field];
  return typeof account === "string" && account !== "" ? accountKey(account) : null;
}
