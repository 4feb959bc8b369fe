import { col } from "sequelize";

import { computed, plainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { readOwnSteamIds } from "../steam-links.ts";

/** Kits that one answer holds, the latest. */
const most = 500;

/** Kits that a user may take, or could, with all Steam accounts that they linked. */
export const readOwnKits = (userId: number, context: Ground): Promise<object[]> =>
  findKits(userId, context, { limit: most });

/** All of them, for whoever takes along what is stored. */
export const readAllOwnKits = (userId: number, context: Ground): Promise<object[]> =>
  findKits(userId, context);

type Ground = Pick<Context, "models">;

const findKits = async (
  userId: number,
  { models }: Ground,
  paging: { readonly limit?: number } = {},
): Promise<object[]> =>
  plainRows(models.SurvivalEntitlement, {
    columns: [
      "id",
      "serverId",
      "steamId",
      "kit",
      "uses",
      "used",
      "createdAt",
      "deliveredAt",
      "expiresAt",
    ],
    computed: {
      server: computed<string>(col("server.name")),
      state: models.SurvivalEntitlement.stateNow,
    },
    include: [{ association: "server", attributes: [] }],
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    order: [["id", "DESC"]],
    ...paging,
  });
