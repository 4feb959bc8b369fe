import { Op } from "sequelize";

import type { EventParticipation } from "../../../models/events/event-participation.ts";
import type { Context } from "../../platform/context.ts";
import { announcedCondition } from "./announced.ts";

export interface HistoryPage {
  readonly lines: readonly EventParticipation[];
  /** Cursor of the next page; null on the last page. */
  readonly nextBefore: number | null;
}

interface HistoryQuery {
  readonly limit: number;
  /** Cursor: return only older participations. */
  readonly before: number | undefined;
}

/** Returns the announced events that a user took part in, newest first, without rehearsals. */
export async function readHistory(
  userId: number,
  { limit, before }: HistoryQuery,
  { models }: Context,
): Promise<HistoryPage> {
  const found = await models.EventParticipation.findAll({
    where: { userId, ...(before !== undefined && { id: { [Op.lt]: before } }) },
    include: [
      {
        association: "run",
        attributes: ["id"],
        required: true,
        where: { rehearsal: false },
        include: [
          { association: "version", attributes: ["title"], required: true },
          {
            association: "definition",
            attributes: ["slug"],
            required: true,
            include: [{ ...announcedCondition.version, attributes: [] }],
          },
        ],
      },
    ],
    order: [["id", "DESC"]],
    limit: limit + 1,
  });
  const lines = found.slice(0, limit);
  const isLast = lines.length === found.length;
  return { lines, nextBefore: isLast ? null : (lines.at(-1)?.id ?? null) };
}
