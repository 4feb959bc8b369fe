import type { Models } from "../../../models/index.ts";
import { blankMapRender, type MapRenderResult } from "../../imports/results/maps.ts";
import type { ImportWork } from "../../imports/runs/run-import.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Actor } from "../../platform/bridge/calls/call.ts";
import { isIncapable, systemActor } from "../calls/call-rules.ts";
import { withEntry } from "../calls/ledger.ts";
import { orderMapRender } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { type MapCode, mapCodeOf } from "./fetch-map.ts";

export const standardScale = 0.5;

/** Has a server draw its map anew. It tells of the picture once it is there, and that is fetched then. */
export const renderMap: ImportWork<SurvivalContext> = async (
  { jobId, flags, signal, whileHeld },
  context,
) => {
  const { models, survival } = context;
  const { serverId, scale = standardScale, userId } = flags;
  const id = serverId as number;
  if (isIncapable(await models.SurvivalServerState.findByPk(id), "map")) {
    return unavailable("UNSUPPORTED", "the server's plugin has no map");
  }
  // A second attempt of the job is the same command to the game server.
  const order = { actor: await actorOf(userId, models), idempotencyKey: jobId, signal };
  // The game server is not asked for a run that was cancelled, or that another attempt holds.
  await whileHeld(() => Promise.resolve());
  try {
    await withEntry(
      { serverId: id, what: "map", ref: jobId, runId: null, stepId: null },
      () =>
        survival.call(id, (control) => control.command(orderMapRender, order, { body: { scale } })),
      context,
    );
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return unavailable(mapCodeOf(error.code), error.reason);
  }
  return { ...blankMapRender, status: "queued", scale } satisfies MapRenderResult;
};

/** Whoever asked, as the game server is told; the service itself where the account is gone. */
async function actorOf(userId: number | undefined, { User }: Models): Promise<Actor> {
  const user = userId === undefined ? null : await User.findByPk(userId);
  return user ? { userId: user.id, username: user.username, role: user.role } : systemActor;
}

const unavailable = (code: MapCode, reason: string): MapRenderResult => ({
  ...blankMapRender,
  status: "unavailable",
  code,
  reason,
});
