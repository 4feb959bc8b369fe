import { isLedgerWhat } from "../../../models/survival/survival-ledger-entry.ts";
import type { Ground, Handlers } from "../kinds/handler.ts";
import { type Expiry, expireEntry } from "../ledger/expire-entry.ts";
import { expireParticipation } from "../participation/expire-participation.ts";
import { expireKit } from "../rewards/kit-handlers.ts";
import { expireLease } from "../zones/expire-lease.ts";

/** What ended in a world by itself: at the end of its lease, with a wipe, with the game process. */
export const expiryHandlers: Handlers = {
  "world.expired": ({ payload, bootId }, ground) => {
    const { what, ref, reason, at } = payload;
    return expire({ what, ref, reason, at, openedAt: at, bootId }, ground);
  },
  // A lease is known by its own id, whatever the game calls the thing that it is for.
  "lease.expired": ({ payload, t, bootId }, ground) => {
    const { what, leaseId, leaseUntil, openedAt } = payload;
    const at = leaseUntil ?? t;
    const times = { at, openedAt: openedAt ?? at };
    return expire({ what, ref: leaseId, reason: "timeout", ...times, bootId }, ground);
  },
};

type Told = Omit<Expiry, "serverId" | "what"> & { readonly what: string };

async function expire({ what, ...told }: Told, ground: Ground): Promise<void> {
  if (!isLedgerWhat(what)) return;
  const { serverId, connection } = ground;
  await expireEntry({ ...told, what, serverId }, ground);
  const { ref, reason, at } = told;
  if (what === "zone") await expireLease({ serverId, leaseId: ref, reason, at }, connection);
  if (what === "participation") await expireParticipation(serverId, ref, connection);
  if (what === "kit") await expireKit(ground, ref, reason);
}
