import { literal } from "sequelize";

import type { Context } from "../../platform/context.ts";
import type { Fields, MaySeeField } from "../visibility/view.ts";
import { publicUnknown, viewHouse } from "./house-view.ts";
import { viewPublicHouse } from "./public-views.ts";

/** Houses in danger of collapsing, as everyone may see them. */
export async function readIdocHouses(maySee: MaySeeField, { models }: Context): Promise<Fields[]> {
  const houses = await models.House.findAll({
    attributes: ["state", "stage", "updatedAt"],
    where: { stage: "IDOC" },
    order: ["serial"],
    raw: true,
  });
  return houses.map(({ state, stage, updatedAt }) =>
    viewPublicHouse({ ...publicUnknown, ...state, stage, updatedAt }, maySee),
  );
}

const byName = [literal("lower(state ->> 'name') nulls last"), "serial"] as const;

/** All houses by name, with what staff see of them. */
export async function readHouses(isAdmin: boolean, { models }: Context): Promise<Fields[]> {
  const houses = await models.House.findAll({
    attributes: ["state", "updatedAt"],
    order: [...byName],
    raw: true,
  });
  return houses.map((house) => viewHouse(house.state, house.updatedAt, isAdmin));
}

/** The houses of a user's game accounts, those in danger first, as their owner may see them. */
export async function readHousesOf(userId: number, { models }: Context): Promise<Fields[]> {
  const houses = await models.House.findAll({
    attributes: ["state", "updatedAt"],
    include: [{ association: "link", attributes: [], where: { userId } }],
    order: [literal("stage <> 'IDOC'"), ...byName],
    raw: true,
  });
  return houses.map((house) => viewHouse(house.state, house.updatedAt, true));
}
