import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { refuseIncapable } from "../calls/call-rules.ts";
import { type Deed, withEntry } from "../calls/ledger.ts";
import type { SurvivalContext } from "../context.ts";
import { sayOnServer, unsentBy } from "./say-on-server.ts";

type Announcing = Pick<Deed, "runId" | "stepId"> & {
  /** One server, or null for every enabled one. */
  readonly serverId: number | null;
  readonly message: string;
};

interface Announced {
  readonly sent: number;
  /** Servers that are off, or cannot say it. */
  readonly unsent: number;
}

/**
 * Has game servers tell a message to their players, for a step of a run. Of all servers those that
 * are off are passed over; where one server is meant it has to be there.
 * @throws {BridgeError} when a server gave no good answer
 */
export async function announceForStep(
  { serverId, message, runId, stepId }: Announcing,
  order: Order,
  context: SurvivalContext,
): Promise<Announced> {
  const serverIds = serverId === null ? await readEnabled(context) : [serverId];
  const ref = order.idempotencyKey ?? "";
  const told = await Promise.all(
    serverIds.map(async (id) => {
      const deed = { serverId: id, what: "announce", ref, runId, stepId } as const;
      const send = () => sayOnServer(id, message, order, context);
      try {
        await refuseIncapable(id, "announce", context);
        await withEntry(deed, send, context);
        return null;
      } catch (error) {
        if (error instanceof BridgeError) return error;
        throw error;
      }
    }),
  );
  const failures = told.filter((error) => error !== null);
  // One whose connection broke is passed over too, though it may have said it.
  const fatal = failures.find(({ code }) => serverId !== null || !unsentBy[code]);
  if (fatal) throw fatal;
  return { sent: told.length - failures.length, unsent: failures.length };
}

async function readEnabled({ models }: Context): Promise<number[]> {
  const found = await models.SurvivalServer.findAll({
    where: { enabled: true },
    attributes: ["id"],
    order: ["id"],
    raw: true,
  });
  return found.map(({ id }) => id);
}
