import { col, fn, Op, where } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { ActivityEntry } from "../../../models/site/activity-entry.ts";

export interface ActivitySearch {
  readonly actor?: number | undefined;
  /** The whole of an action or its beginning: `auth.login` finds `auth.login.failure`. */
  readonly action?: string | undefined;
  /** Lines older than this one. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface ActivityPage {
  readonly lines: readonly ActivityEntry[];
  /** What the next page is asked for with; null at the end. */
  readonly nextBefore: number | null;
}

/** Lines of the log with their actors, the latest first. */
export async function readActivity(
  { actor, action, before, limit }: ActivitySearch,
  { models }: { readonly models: Models },
): Promise<ActivityPage> {
  const begins = fn("starts_with", col("ActivityEntry.action"), action);
  const found = await models.ActivityEntry.findAll({
    attributes: { exclude: ["address"] },
    include: [
      { association: "actor", attributes: ["username"] },
      { association: "token", attributes: ["name"] },
    ],
    where: {
      ...(actor !== undefined && { actorId: actor }),
      ...(before !== undefined && { id: { [Op.lt]: before } }),
      ...(action !== undefined && { [Op.and]: where(begins, true) }),
    },
    order: [["id", "DESC"]],
    limit: limit + 1,
  });
  const lines = found.slice(0, limit);
  const isLast = lines.length === found.length;
  return { lines, nextBefore: isLast ? null : (lines.at(-1)?.id ?? null) };
}
