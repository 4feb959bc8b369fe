import { countChanged } from "../../platform/db/rows.ts";
import type { HandlerContext, Handlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import { digestOf } from "./link-codes.ts";

type LinkCodePayload = SurvivalPayload<"link.minted">;

export const linkCodeHandlers: Handlers = { "link.minted": storeCode };

/** Maximum lifetime of a code in milliseconds; games usually use five or six minutes. */
const longestMs = 10 * 60_000;

/** Stores an announced code. A code without a hash could not be recognized. */
async function storeCode(
  { payload: { at, expiresAt, salt, hash }, replay }: ReceivedFrame<LinkCodePayload>,
  { serverId, connection, context, room }: HandlerContext,
): Promise<void> {
  const madeAt = replay ? at : null;
  if (!salt || !hash) {
    await countChanged(connection, noteUnhashed, [serverId, madeAt]);
    context.log.warn(
      { serverId },
      "the plugin sent a code for a Steam link without its hash: the code cannot be used, update the plugin",
    );
    return;
  }
  await countChanged(connection, noteHashed, [serverId, madeAt]);
  await countChanged(connection, deleteOld, [serverId]);
  const lifetimeMs = Math.min(expiresAt - at, longestMs);
  const digest = digestOf(salt, hash, context.config);
  if (room.isFull("linkCodes", 1)) await countChanged(connection, deleteExpired, [serverId]);
  const fitting = await room.selectFitting("linkCodes", [digest], {
    keyOf: (key) => key,
    sql: storedCode,
    values: [serverId, digest],
  });
  if (fitting.length === 0) return;
  await countChanged(connection, store, [serverId, salt, digest, madeAt, lifetimeMs]);
}

/** The game's clock may be wrong, so only a replayed announcement uses its own time. */
const createdAtSql = "least(to_timestamp($2::bigint / 1000.0), clock_timestamp())";

const noteOf = (column: string): string => `
  insert into survival_server_states (server_id, ${column}) values ($1, ${createdAtSql})
  on conflict (server_id) do update
  set ${column} = greatest(survival_server_states.${column}, excluded.${column})`;

const noteHashed = noteOf("link_minted_at");
const noteUnhashed = noteOf("link_unhashed_at");

/** Expired codes are kept for a day, so that a repeated announcement is recognized. */
const deleteOld = `
  delete from survival_link_codes
  where server_id = $1 and expires_at < clock_timestamp() - interval '1 day'`;

/** Deletes unused codes first. A deleted used code could be announced again and link once more. */
const deleteExpired = `
  with unused as (
    delete from survival_link_codes
    where server_id = $1 and expires_at < clock_timestamp() and used_at is null returning 1
  )
  delete from survival_link_codes
  where server_id = $1 and expires_at < clock_timestamp() and used_at is not null
    and not exists (select from unused)`;

const storedCode =
  "select digest as key from survival_link_codes where server_id = $1 and digest = $2";

const store = `
  insert into survival_link_codes (server_id, salt, digest, expires_at)
  select $1, $2, $3, ends.at
  from (select least(to_timestamp($4::bigint / 1000.0), clock_timestamp())
    + make_interval(secs => $5::float8 / 1000) as at) ends
  where ends.at > clock_timestamp()
  on conflict (server_id, digest) do nothing`;
