import { col, fn, Op, where } from "sequelize";

import { computed, plainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";

const counts = {
  entitled: computed<number>("count(*)::integer"),
  waiting: computed<number>("count(*) filter (where state = 'pending')::integer"),
};

/** What was given under a key: each player has a key of their own that begins with it. */
export const hasKey = (key: string) => ({
  [Op.and]: where(fn("starts_with", col("dedupe_key"), `${key}/`), true),
});

/** How many players have a kit under a key, and how many of them the game does not know of yet. */
export async function countGiven(
  key: string,
  { models }: Pick<Context, "models">,
): Promise<Readonly<Record<keyof typeof counts, number>>> {
  const [given] = await plainRows(models.SurvivalEntitlement, {
    columns: [],
    computed: counts,
    where: hasKey(key),
  });
  return given ?? { entitled: 0, waiting: 0 };
}
