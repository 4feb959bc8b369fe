import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { locationView } from "../kinds/fields.ts";
import { object, plain, showAll, type View } from "../visibility/view.ts";

const shown = ["id", "kind", "t", "bootId", "payload", "createdAt"] as const;

/** A stored event with all fields that staff see. */
type WholeEvent = Readonly<Pick<ShardEvent, (typeof shown)[number]>>;

/** Only admins see the game account and undeclared fields. */
const withoutAccounts: View = {
  actor: object(plain("serial", "name", "access")),
  ...plain("command", "args", "target"),
  location: locationView,
};

/** Returns the actions of staff in the game, newest first. */
export async function readAudit(
  { limit, isAdmin }: { readonly limit: number; readonly isAdmin: boolean },
  { models }: Context,
): Promise<WholeEvent[]> {
  const events = await models.ShardEvent.findAll({
    attributes: [...shown],
    where: { kind: "admin.audit" },
    order: [["id", "DESC"]],
    limit,
    raw: true,
  });
  if (isAdmin) return events;
  return events.map(({ id, kind, t, bootId, payload, createdAt }) => {
    const shownPayload = showAll(withoutAccounts, payload);
    return { id, kind, t, bootId, payload: shownPayload, createdAt };
  });
}
