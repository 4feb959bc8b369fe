import type { ShardEvent } from "../../../models/shard/shard-event.ts";
import type { Context } from "../../platform/context.ts";
import { locationView } from "../kinds/fields.ts";
import {
  objectView,
  plainViews,
  pickAllVisibleFields,
  type PayloadView,
} from "../visibility/view.ts";

const columns = ["id", "kind", "t", "bootId", "payload", "createdAt"] as const;

/** A stored event with all fields that staff see. */
type AuditEvent = Readonly<Pick<ShardEvent, (typeof columns)[number]>>;

/** The fields that staff see. Only admins also see the game account and undeclared fields. */
const staffView: PayloadView = {
  actor: objectView(plainViews("serial", "name", "access")),
  ...plainViews("command", "args", "target"),
  location: locationView,
};

/** Returns the actions of staff in the game, newest first. */
export async function readAudit(
  { limit, isAdmin }: { readonly limit: number; readonly isAdmin: boolean },
  { models }: Context,
): Promise<AuditEvent[]> {
  const events = await models.ShardEvent.findAll({
    attributes: [...columns],
    where: { kind: "admin.audit" },
    order: [["id", "DESC"]],
    limit,
    raw: true,
  });
  if (isAdmin) return events;
  return events.map(({ id, kind, t, bootId, payload, createdAt }) => {
    const shownPayload = pickAllVisibleFields(staffView, payload);
    return { id, kind, t, bootId, payload: shownPayload, createdAt };
  });
}
