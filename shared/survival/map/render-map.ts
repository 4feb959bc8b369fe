import type { Models } from "../../../models/index.ts";
import { blankMapRender, type MapRenderResult } from "../../imports/results/maps.ts";
import type { ImportHandler } from "../../imports/runs/run-import.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandActor } from "../../platform/bridge/calls/call.ts";
import { lacksCapability, systemActor } from "../calls/call-rules.ts";
import { runWithLedgerEntry } from "../calls/ledger.ts";
import { requestMapRenderCall } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { type MapImportCode, toMapImportCode } from "./fetch-map.ts";

export const defaultMapScale = 0.5;

/** Has a server draw its map. The site fetches the image when the server announces it. */
export const renderMap: ImportHandler<SurvivalContext> = async (
  { jobId, flags, signal, withLease: whileHeld },
  context,
) => {
  const { models, survival } = context;
  const { serverId, scale = defaultMapScale, userId } = flags;
  const id = serverId as number;
  if (lacksCapability(await models.SurvivalServerState.findByPk(id), "map")) {
    return unavailable("UNSUPPORTED", "the server's plugin does not have the capability map");
  }
  // The idempotency key is the job's id, so a retry repeats the same command.
  const order = { actor: await actorOf(userId, models), idempotencyKey: jobId, signal };
  // Stop here if the import was cancelled or another attempt has taken it over.
  await whileHeld(() => Promise.resolve());
  try {
    await runWithLedgerEntry(
      { serverId: id, what: "map", ref: jobId, runId: null, stepId: null },
      () =>
        survival.call(id, (control) =>
          control.command(requestMapRenderCall, order, { body: { scale } }),
        ),
      context,
    );
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return unavailable(toMapImportCode(error.code), error.reason);
  }
  return { ...blankMapRender, status: "queued", scale } satisfies MapRenderResult;
};

/** Returns the requesting user; the system if the account was deleted. */
async function actorOf(userId: number | undefined, { User }: Models): Promise<CommandActor> {
  const user = userId === undefined ? null : await User.findByPk(userId);
  return user ? { userId: user.id, username: user.username, role: user.role } : systemActor;
}

const unavailable = (code: MapImportCode, reason: string): MapRenderResult => ({
  ...blankMapRender,
  status: "unavailable",
  code,
  reason,
});
