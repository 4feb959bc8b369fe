import { literal } from "sequelize";

import type { Context } from "../../platform/context.ts";
import { toIsoTime } from "../kinds/fields.ts";
import { isIdoc, publicHouseView } from "../kinds/houses.ts";
import {
  type PayloadFields,
  type FieldAccessCheck,
  plainViews,
  pickVisibleFields,
  pickAllVisibleFields,
  valuesView,
  type PayloadView,
} from "../visibility/view.ts";

/** Reads the public view of houses in danger of collapsing. */
export async function readIdocHouses(
  maySee: FieldAccessCheck,
  { models }: Context,
): Promise<PayloadFields[]> {
  const houses = await models.House.findAll({
    attributes: ["state", "stage", "updatedAt"],
    where: { stage: "IDOC" },
    order: ["serial"],
    raw: true,
  });
  return houses.map(({ state, stage, updatedAt }) =>
    viewPublicHouse({ ...missingPublicFields, ...state, stage, updatedAt }, maySee),
  );
}

const byName = [literal("lower(state ->> 'name') nulls last"), "serial"] as const;

/** Reads all houses for staff, sorted by name. */
export async function readHouses(isAdmin: boolean, { models }: Context): Promise<PayloadFields[]> {
  const houses = await models.House.findAll({
    attributes: ["state", "updatedAt"],
    order: [...byName],
    raw: true,
  });
  return houses.map((house) => viewHouse(house.state, house.updatedAt, isAdmin));
}

/** Reads the houses of a user's game accounts as their owner sees them, first the houses in danger. */
export async function readHousesOf(userId: number, { models }: Context): Promise<PayloadFields[]> {
  const houses = await models.House.findAll({
    attributes: ["state", "updatedAt"],
    include: [{ association: "link", attributes: [], where: { userId } }],
    order: [literal("stage <> 'IDOC'"), ...byName],
    raw: true,
  });
  return houses.map((house) => viewHouse(house.state, house.updatedAt, true));
}

/** Null for each public field. Plugins may omit fields, which are then shown as null. */
const missingPublicFields = { map: null, x: null, y: null, z: null, region: null, name: null };

const missingFields = {
  ...missingPublicFields,
  type: null,
  ownerSerial: null,
  ownerAcct: null,
  price: null,
  coOwners: null,
  public: null,
  decayType: null,
};

const wholeHouse: PayloadView = plainViews("serial", "stage", ...Object.keys(missingFields));

/** Some plugins send the list of co-owners, others only their number. */
const withCoOwners: PayloadView = { ...wholeHouse, coOwners: valuesView };

/** Returns a `ShardHouse` of the API with all fields. Without `seesAccount`, its `ownerAcct` is null. */
function viewHouse(state: PayloadFields, updatedAt: Date, seesAccount: boolean): PayloadFields {
  const view = Array.isArray(state["coOwners"]) ? withCoOwners : wholeHouse;
  const house = pickAllVisibleFields(view, { ...missingFields, ...state });
  return {
    ...house,
    ownerAcct: seesAccount ? house["ownerAcct"] : null,
    builtOn: toIsoTime(state["builtOn"]),
    lastRefreshed: toIsoTime(state["lastRefreshed"]),
    lastTraded: toIsoTime(state["lastTraded"]),
    nextStageAt: toIsoTime(state["nextStageAt"]),
    isIdoc: isIdoc(house as { stage: string }),
    updatedAt,
  };
}

/** Returns the public fields of a `ShardHouse`, as on the public stream, without fields that rules hide. */
export const viewPublicHouse = (
  house: { readonly stage: string; readonly updatedAt: Date },
  maySee: FieldAccessCheck,
): PayloadFields => ({
  ...pickVisibleFields(publicHouseView, house, maySee),
  isIdoc: isIdoc(house),
  updatedAt: house.updatedAt,
});
