import type { SurvivalZoneLease } from "../../../models/survival/survival-zone-lease.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { SurvivalContext } from "../context.ts";
import { closeInGame } from "./close-zone.ts";
import { holdSoon } from "./hold-soon.ts";
import { moveLease } from "./move-lease.ts";

/** How soon a job tries what did not work at once. */
const soonMs = 5_000;

/**
 * Notes that the game has opened a zone. Where the zone was closed before the game answered, the game
 * knew of none then: it is ended again.
 */
export async function noteOpened(
  { leaseId, serverId }: Pick<SurvivalZoneLease, "leaseId" | "serverId">,
  order: Order,
  context: SurvivalContext,
): Promise<void> {
  const opened = { from: ["opening"], to: "open", ledger: "confirmed" } as const;
  if (await moveLease(leaseId, opened, context.sequelize)) return;
  const again = { from: ["closing", "closed", "failed"], to: "closing" } as const;
  if (!(await moveLease(leaseId, again, context.sequelize))) return;
  try {
    await closeInGame({ leaseId, serverId }, order, context);
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    await holdSoon(serverId, { context, afterMs: soonMs });
  }
}
