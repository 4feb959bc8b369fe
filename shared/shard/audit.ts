import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import { placeView } from "./kinds/fields.ts";
import { type Fields, object, plain, showAll, type View } from "./view.ts";

/** A stored event whole, as staff see it. */
export interface ShardEvent {
  readonly id: number;
  readonly kind: string;
  readonly t: number;
  readonly bootId: string | null;
  readonly payload: Fields;
  readonly createdAt: Date;
}

/** Whose game account it was is for admins alone, and so is what no kind of ours declares. */
const withoutAccounts: View = {
  actor: object(plain("serial", "name", "access")),
  ...plain("command", "args", "target"),
  location: placeView,
};

/** What staff did in the game, newest first. */
export async function readAudit(
  { limit, isAdmin }: { readonly limit: number; readonly isAdmin: boolean },
  { sequelize }: Context,
): Promise<ShardEvent[]> {
  const events = await sequelize.query<ShardEvent>(
    `select id, kind, t, boot_id as "bootId", payload, created_at as "createdAt"
     from shard_events where kind = 'admin.audit' order by id desc limit $1`,
    { bind: [limit], type: QueryTypes.SELECT },
  );
  if (isAdmin) return events;
  return events.map((event) => ({
    ...event,
    payload: showAll(withoutAccounts, event.payload),
  }));
}
