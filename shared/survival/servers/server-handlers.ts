import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { WipeKind } from "../../../models/survival/survival-wipe.ts";
import type { JsonObject } from "../../platform/bridge/json-text.ts";
import { countChanged, firstRow } from "../../platform/db/rows.ts";
import type { HandlerContext, Handlers } from "../kinds/handler.ts";
import type { BlueprintState } from "../kinds/server.ts";
import { serializeStoredPayload } from "../kinds/stored-payload.ts";
import { schedulePendingDelivery, resetKitsAfterWipe } from "../rewards/kit-handlers.ts";
import { announceWipes } from "../wipes/announce-wipes.ts";

export const serverHandlers: Handlers = {
  "server.hello": async ({ payload, t }, ground) => {
    await storeReport("hello", payload, ground);
    const { world, game } = payload;
    await updateWorlds(
      {
        saveId: world.saveCreatedAt,
        saveProtocol: game?.protocolSave ?? null,
        level: world.level ?? null,
        seed: world.seed ?? null,
        worldSize: world.size ?? null,
      },
      t,
      ground,
    );
    await schedulePendingDelivery(ground);
  },
  // The hello of a server that still generates its world reports `worldReady` false.
  "world.ready": async (_taken, { serverId, connection }) => {
    await countChanged(connection, worldIsReady, [serverId]);
  },
  "server.status": ({ payload }, ground) => storeReport("status", payload, ground),
};

const worldIsReady = `
  update survival_server_states set hello = hello || '{"worldReady": true}' where server_id = $1`;

/** Stores a hello or status with its time. The first one after a start marks the server as online. */
async function storeReport(
  column: "hello" | "status",
  payload: JsonObject,
  { serverId, connection }: HandlerContext,
): Promise<void> {
  await countChanged(
    connection,
    `insert into survival_server_states (server_id, ${column}, online_since, last_seen_at)
     values ($1, $2, clock_timestamp(), clock_timestamp())
     on conflict (server_id) do update
     set ${column} = excluded.${column}, last_seen_at = excluded.last_seen_at,
       online_since = coalesce(survival_server_states.online_since, excluded.online_since)`,
    [serverId, serializeStoredPayload(`server.${column}`, payload)],
  );
}

/** Facts about a world from a wipe event or hello. */
interface WorldFacts {
  /** The world's creation time, in epoch milliseconds. */
  readonly saveId: number;
  readonly saveProtocol: number | null;
  readonly level: string | null;
  readonly seed: string | number | null;
  readonly worldSize: number | null;
  /** Known only from a wipe event. */
  readonly kind?: WipeKind;
  readonly forced?: boolean;
}

/**
 * `first`: the server's first world. `same`: the world is unchanged. `new`: a wipe. `older`: an earlier
 * save was restored. `left out`: the limit of worlds is reached; the former world stays.
 */
type WorldChange = "first" | "same" | "new" | "older" | "left out";

/** Updates a server's worlds. @param at time of the wipe event or hello, in epoch milliseconds */
async function updateWorlds(
  facts: WorldFacts,
  at: number,
  ground: HandlerContext,
): Promise<WorldChange> {
  const { serverId, connection, room } = ground;
  const fitting = await room.selectFitting("worlds", [facts.saveId], {
    keyOf: String,
    sql: storedWorld,
    values: [serverId, facts.saveId],
  });
  if (fitting.length === 0) return "left out";
  const known = await firstRow<Pick<SurvivalServerState, "saveId">>(connection, readWorldId, [
    serverId,
  ]);
  const change = changeOf(known?.saveId ?? null, facts.saveId);
  await countChanged(connection, storeWipe, [
    serverId,
    facts.saveId,
    facts.kind ?? null,
    facts.forced ?? null,
    facts.saveProtocol,
    facts.level,
    facts.seed === null ? null : String(facts.seed),
    facts.worldSize,
  ]);
  if (change === "same") {
    if (facts.kind) await announceWipes({ serverIds: [serverId], at }, ground);
    return change;
  }
  await countChanged(connection, endOtherWorlds, [serverId, facts.saveId, at]);
  await countChanged(connection, setCurrentWorld, [serverId, facts.saveId]);
  if (change !== "first") await resetKitsAfterWipe(ground);
  if (change !== "new") return change;
  await countChanged(connection, markUnannounced, [serverId, facts.saveId]);
  if (facts.kind) await announceWipes({ serverIds: [serverId], at }, ground);
  return change;
}

function changeOf(known: number | null, saveId: number): WorldChange {
  if (known === null) return "first";
  if (known === saveId) return "same";
  return saveId > known ? "new" : "older";
}

const storedWorld = `
  select save_id::text as key from survival_wipes where server_id = $1 and save_id = $2`;

const readWorldId = `select save_id as "saveId" from survival_server_states where server_id = $1`;

/** Reopens the current world if it had ended: an earlier save may be restored. */
const storeWipe = `
  insert into survival_wipes
    (server_id, save_id, started_at, kind, forced, save_protocol, level, seed, world_size)
  values ($1, $2::bigint, to_timestamp($2::bigint / 1000.0), coalesce($3, 'unknown'), coalesce($4, false), $5, $6,
    $7, $8)
  on conflict (server_id, save_id) do update
  set ended_at = null, kind = coalesce($3, survival_wipes.kind),
    forced = coalesce($4, survival_wipes.forced),
    save_protocol = coalesce($5, survival_wipes.save_protocol),
    level = coalesce($6, survival_wipes.level), seed = coalesce($7, survival_wipes.seed),
    world_size = coalesce($8, survival_wipes.world_size)`;

/** An older world ended when the current one was created, a newer one at the time of this report. */
const endOtherWorlds = `
  update survival_wipes
  set ended_at = to_timestamp((case when save_id < $2::bigint then $2::bigint else $3::bigint end) / 1000.0)
  where server_id = $1 and save_id <> $2::bigint and ended_at is null`;

const setCurrentWorld = `
  insert into survival_server_states (server_id, save_id) values ($1, $2::bigint)
  on conflict (server_id) do update
  set save_id = excluded.save_id, map = case
    when (survival_server_states.map ->> 'saveId')::bigint = $2::bigint then survival_server_states.map end`;

const markUnannounced = `
  update survival_server_states
  set untold_save_id = $2::bigint, untold_since = clock_timestamp() where server_id = $1`;

const kindOf: Readonly<Record<BlueprintState, WipeKind>> = {
  kept: "map",
  wiped: "full",
  unknown: "unknown",
};

export const wipeHandlers: Handlers = {
  "world.wiped": async ({ payload, t }, ground) => {
    const { saveId, saveProtocol = null, previousProtocol = null, blueprints } = payload;
    await updateWorlds(
      {
        saveId,
        saveProtocol,
        level: payload.level ?? null,
        seed: payload.seed ?? null,
        worldSize: payload.size ?? null,
        kind: kindOf[blueprints],
        // A save of another protocol cannot be loaded, so the wipe was forced.
        forced: previousProtocol !== null && previousProtocol !== saveProtocol,
      },
      t,
      ground,
    );
  },
};
