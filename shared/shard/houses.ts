import type { Context } from "../context.ts";
import { viewPublicHouse } from "./public-views.ts";
import type { Fields, Sees } from "./view.ts";

/** Houses in danger of collapsing, as everyone may see them. */
export async function readIdocHouses(sees: Sees, { models }: Context): Promise<Fields[]> {
  const houses = await models.House.findAll({
    where: { stage: "IDOC" },
    order: [["serial", "ASC"]],
  });
  return houses.map(({ state, stage, updatedAt }) =>
    viewPublicHouse({ ...placeless, ...state, stage, updatedAt }, sees),
  );
}

/** A house says of itself what it knows; what it does not is null. */
const placeless = { map: null, x: null, y: null, z: null, region: null, name: null };
