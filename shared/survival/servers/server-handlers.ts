import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { WipeKind } from "../../../models/survival/survival-wipe.ts";
import type { JsonObject } from "../../platform/bridge/json-text.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { FrameHandlerContext, FrameHandlers } from "../kinds/handler.ts";
import type { BlueprintState } from "../kinds/server.ts";
import { serializeStoredPayload } from "../kinds/stored-payload.ts";
import { schedulePendingDelivery, resetKitsAfterWipe } from "../rewards/kit-handlers.ts";
import { announceWipes } from "../wipes/announce-wipes.ts";
import {
  endOtherWorldsSql,
  markWorldUnannouncedSql,
  selectWorldIdSql,
  selectWorldKeySql,
  setCurrentWorldSql,
  setWorldReadySql,
  upsertServerReportSql,
  upsertWipeSql,
} from "./worlds.sql.ts";

export const serverHandlers: FrameHandlers = {
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
  // Marks the world as ready. The hello of a server that still generates its world reports `worldReady` false.
  "world.ready": async (_taken, { serverId, connection }) => {
    await executeStatement(connection, setWorldReadySql, [serverId]);
  },
  "server.status": ({ payload }, ground) => storeReport("status", payload, ground),
};

/** Stores a hello or status with its time. The first report after a start marks the server as online. */
async function storeReport(
  column: "hello" | "status",
  payload: JsonObject,
  { serverId, connection }: FrameHandlerContext,
): Promise<void> {
  await executeStatement(connection, upsertServerReportSql(column), [
    serverId,
    serializeStoredPayload(`server.${column}`, payload),
  ]);
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
  ground: FrameHandlerContext,
): Promise<WorldChange> {
  const { serverId, connection, room } = ground;
  const fitting = await room.selectFitting("worlds", [facts.saveId], {
    keyOf: String,
    sql: selectWorldKeySql,
    values: [serverId, facts.saveId],
  });
  if (fitting.length === 0) return "left out";
  const known = await firstRow<Pick<SurvivalServerState, "saveId">>(connection, selectWorldIdSql, [
    serverId,
  ]);
  const change = changeOf(known?.saveId ?? null, facts.saveId);
  await executeStatement(connection, upsertWipeSql, [
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
  await executeStatement(connection, endOtherWorldsSql, [serverId, facts.saveId, at]);
  await executeStatement(connection, setCurrentWorldSql, [serverId, facts.saveId]);
  if (change !== "first") await resetKitsAfterWipe(ground);
  if (change !== "new") return change;
  await executeStatement(connection, markWorldUnannouncedSql, [serverId, facts.saveId]);
  if (facts.kind) await announceWipes({ serverIds: [serverId], at }, ground);
  return change;
}

function changeOf(known: number | null, saveId: number): WorldChange {
  if (known === null) return "first";
  if (known === saveId) return "same";
  return saveId > known ? "new" : "older";
}

const kindOf: Readonly<Record<BlueprintState, WipeKind>> = {
  kept: "map",
  wiped: "full",
  unknown: "unknown",
};

export const wipeHandlers: FrameHandlers = {
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
