import type { Sql } from "../../db/sql.ts";
import { isIdoc } from "../kinds/houses.ts";
import { accountKey } from "../links.ts";
import { audienceOf, type EventReach } from "../projection.ts";
import { isSnapshotPart } from "../states/snapshots.ts";
import type { Fields } from "../view.ts";
import type { CheckedEvent } from "./checked-frames.ts";

const presenceKinds = ["presence.login", "presence.logout"];

/** Kinds that move what the facts rest on, within the same batch. */
const factKinds = new Set([...presenceKinds, "house.removed"]);

/** Which stream each event is for, in the batch's order, by what was true when it came. */
export async function decideReach(
  events: readonly CheckedEvent[],
  sql: Sql,
): Promise<EventReach[]> {
  const needsFacts = events.some(({ frame }) => factKinds.has(frame.kind));
  const facts = needsFacts ? await readFacts(events, sql) : noFacts();
  return events.map((event) => {
    const reach = isSnapshotPart(event)
      ? "none"
      : audienceOf(event.frame.kind, event.payload, seen(facts, event));
    moveFacts(facts, event);
    return reach;
  });
}

/** What is known while the batch is walked through: linked accounts, houses that stand at IDOC. */
interface MovingFacts {
  readonly linked: Set<string>;
  readonly idoc: Set<string>;
  /** Those of the users named in the batch who are ours. */
  readonly users: ReadonlySet<unknown>;
}

const noFacts = (): MovingFacts => ({ linked: new Set(), idoc: new Set(), users: new Set() });

async function readFacts(events: readonly CheckedEvent[], sql: Sql): Promise<MovingFacts> {
  const accounts = events
    .filter(({ frame }) => presenceKinds.includes(frame.kind))
    .map(({ payload }) => keyOf(payload["acct"]));
  const serials = events
    .filter(({ frame }) => frame.kind === "house.removed")
    .map(({ payload }) => payload["serial"]);
  const users = events
    .filter(({ frame }) => frame.kind === "account.linked")
    .map(({ payload }) => payload["webId"]);
  const linked = await sql.query<{ key: string }>(
    "select account_key as key from shard_links where account_key = any($1)",
    [accounts],
  );
  const idoc = await sql.query<{ serial: string }>(
    "select serial from houses where serial = any($1) and stage = 'IDOC'",
    [serials],
  );
  const known = await sql.query<{ id: number }>("select id from users where id = any($1)", [users]);
  return {
    linked: new Set(linked.rows.map(({ key }) => key)),
    idoc: new Set(idoc.rows.map(({ serial }) => serial)),
    users: new Set(known.rows.map(({ id }) => id)),
  };
}

const keyOf = (account: unknown): string =>
  typeof account === "string" ? accountKey(account) : "";

const seen = (facts: MovingFacts, { payload }: CheckedEvent) => ({
  linked: facts.linked.has(keyOf(payload["acct"])),
  wasIdoc: facts.idoc.has(payload["serial"] as string),
});

function moveFacts(facts: MovingFacts, { frame, payload }: CheckedEvent): void {
  const isOurs = frame.kind === "account.linked" && facts.users.has(payload["webId"]);
  if (isOurs) facts.linked.add(keyOf(payload["acct"]));
  if (frame.kind === "account.unlinked") facts.linked.delete(keyOf(payload["acct"]));
  if (frame.kind === "house.upsert" || frame.kind === "house.decay") moveHouse(facts, payload);
}

function moveHouse({ idoc }: MovingFacts, house: Fields): void {
  const { serial, stage } = house as { serial: string; stage: string };
  if (isIdoc({ stage })) idoc.add(serial);
  else idoc.delete(serial);
}
