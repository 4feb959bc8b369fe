import { executeStatement } from "../../platform/db/rows.ts";
import type { SqlClient } from "../../platform/db/sql.ts";
import { lockAccounts, markAccountsChanged } from "../../platform/db/stale-answers.ts";
import { findShardKind } from "../kinds/kinds.ts";
import {
  accountKey,
  lockUsersOfLinks,
  readLinkedKeys,
  removeLinks,
  writeLinks,
} from "../owners/link-mirror.ts";
import type { StateHandler } from "./handler.ts";
import { splitStateEvents } from "./rounds.ts";
import {
  findStateEffect,
  type StateEventReach,
  computeReach,
  type StateEvent,
} from "./state-event.ts";

/**
 * Updates the stored copy of the shard's links. Some events are public only if their account is linked, so the
 * check of such an event reads the copy after all earlier link events are stored. Links to unknown users are only
 * counted.
 */
export const linksHandler: StateHandler = { apply: applyLinks };

const rules = {
  keyOf,
  operationOf: (event: StateEvent) =>
    findShardKind(event.frame.kind)?.restsOn === "links" ? "look" : findStateEffect(event)?.as,
  mayRepeat: true,
};

function keyOf({ payload: { acct } }: StateEvent): string {
  return typeof acct === "string" ? accountKey(acct) : "";
}

async function applyLinks(
  events: readonly StateEvent[],
  connection: SqlClient,
  source: string,
): Promise<StateEventReach[]> {
  const reached: StateEventReach[] = [];
  let unknown = 0;
  const changingEvents = events.filter((event) => findStateEffect(event)?.state === "links");
  const changingKeys = changingEvents.map(keyOf);
  if (changingKeys.length > 0) {
    await lockAccounts("game account", connection);
    await lockUsersOfLinks(
      { accountKeys: changingKeys, userIds: changingEvents.flatMap(userIdsOf) },
      connection,
    );
  }
  for (const { operation, events: round } of splitStateEvents(events, rules)) {
    if (operation === "look") reached.push(...(await findLinkedEvents(round, connection)));
    else if (operation === "remove") await removeLinks(round.map(keyOf), connection);
    else unknown += await link(round, connection);
  }
  if (changingKeys.length > 0) await markAccountsChanged("game account", changingKeys, connection);
  if (unknown > 0) await countUnknown(source, unknown, connection);
  return reached;
}

const userIdsOf = ({ payload: { webId } }: StateEvent): number[] =>
  typeof webId === "number" ? [webId] : [];

async function findLinkedEvents(
  events: readonly StateEvent[],
  connection: SqlClient,
): Promise<StateEventReach[]> {
  const linked = await readLinkedKeys(events.map(keyOf), connection);
  return events
    .filter((event) => keyOf(event) !== "" && linked.has(keyOf(event)))
    .map((event) => computeReach(event, { linked: true }));
}

/** @returns the number of links to unknown users */
async function link(events: readonly StateEvent[], connection: SqlClient): Promise<number> {
  let unknown = 0;
  for (const { frame, payload } of events) {
    const { acct: account, webId: userId } = payload as { acct: string; webId?: number | null };
    if (typeof userId !== "number") continue;
    unknown += await writeLinks([{ account, userId, linkedAt: frame.t }], connection);
  }
  return unknown;
}

async function countUnknown(source: string, links: number, connection: SqlClient): Promise<void> {
  await executeStatement(
    connection,
    "update ingest_sources set unknown_links = unknown_links + $2 where source = $1",
    [source, links],
  );
}
