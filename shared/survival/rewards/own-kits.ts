import { col } from "sequelize";

import { computeColumn, readPlainRows } from "../../../models/queries/plain-rows.ts";
import type { Context } from "../../platform/context.ts";
import { readOwnSteamIds } from "../steam-links.ts";

/** Maximum number of kits in one answer, newest first. */
const maxKits = 500;

/** Reads the newest kits of a user's Steam accounts, including redeemed and expired ones. */
export const readOwnKits = (userId: number, context: Stores): Promise<object[]> =>
  findKits(userId, context, { limit: maxKits });

/** Reads all kits of a user, for the export of personal data. */
export const readAllOwnKits = (userId: number, context: Stores): Promise<object[]> =>
  findKits(userId, context);

type Stores = Pick<Context, "models">;

const findKits = async (
  userId: number,
  { models }: Stores,
  paging: { readonly limit?: number } = {},
): Promise<object[]> =>
  readPlainRows(models.SurvivalEntitlement, {
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
      server: computeColumn<string>(col("server.name")),
      state: models.SurvivalEntitlement.stateNow,
    },
    include: [{ association: "server", attributes: [] }],
    where: { steamId: await readOwnSteamIds(userId, { models }) },
    order: [["id", "DESC"]],
    ...paging,
  });
