import { QueryTypes } from "sequelize";

import type { Context } from "../context.ts";
import { publicUnknown, viewHouse } from "./house-view.ts";
import { viewPublicHouse } from "./public-views.ts";
import type { Fields, Sees } from "./view.ts";

/** Houses in danger of collapsing, as everyone may see them. */
export async function readIdocHouses(sees: Sees, { models }: Context): Promise<Fields[]> {
  const houses = await models.House.findAll({
    where: { stage: "IDOC" },
    order: [["serial", "ASC"]],
  });
  return houses.map(({ state, stage, updatedAt }) =>
    viewPublicHouse({ ...publicUnknown, ...state, stage, updatedAt }, sees),
  );
}

interface StoredHouse {
  readonly state: Fields;
  readonly updatedAt: Date;
}

const columns = `select state, houses.updated_at as "updatedAt" from houses`;
const byName = "lower(state ->> 'name') nulls last, serial";

/** All houses by name, with what staff see of them. */
export async function readHouses(
  isAdmin: boolean,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<Fields[]> {
  const houses = await sequelize.query<StoredHouse>(`${columns} order by ${byName}`, {
    type: QueryTypes.SELECT,
  });
  return houses.map((house) => viewHouse(house.state, house.updatedAt, isAdmin));
}

/** The houses of a user's game accounts, those in danger first, as their owner may see them. */
export async function readHousesOf(
  userId: number,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<Fields[]> {
  const houses = await sequelize.query<StoredHouse>(
    `${columns} join shard_links on owner_account_key = account_key
     where user_id = $1 order by stage <> 'IDOC', ${byName}`,
    { bind: [userId], type: QueryTypes.SELECT },
  );
  return houses.map((house) => viewHouse(house.state, house.updatedAt, true));
}
