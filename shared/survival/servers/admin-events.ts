import { Op } from "sequelize";

import type { SurvivalEvent } from "../../../models/survival/survival-event.ts";
import type { Context } from "../../platform/context.ts";

export interface EventsQuery {
  readonly kind?: string;
  readonly limit: number;
  readonly before?: number;
}

/** What a server has told of, the newest first, with what only staff may see. */
export const readServerEvents = (
  serverId: number,
  { kind, limit, before }: EventsQuery,
  { models }: Pick<Context, "models">,
): Promise<SurvivalEvent[]> =>
  models.SurvivalEvent.findAll({
    where: {
      serverId,
      ...(kind !== undefined && { kind }),
      ...(before !== undefined && { id: { [Op.lt]: before } }),
    },
    order: [["id", "desc"]],
    // One more says whether there is more.
    limit: limit + 1,
  });
