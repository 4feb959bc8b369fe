import { isoTime } from "../kinds/fields.ts";
import { isIdoc } from "../kinds/houses.ts";
import { type Fields, plain, showAll, values, type View } from "../visibility/view.ts";

/** A house says of itself what it knows; what it does not is null. */
export const publicUnknown = { map: null, x: null, y: null, z: null, region: null, name: null };

const unknown = {
  ...publicUnknown,
  type: null,
  ownerSerial: null,
  ownerAcct: null,
  price: null,
  coOwners: null,
  public: null,
  decayType: null,
};

const wholeHouse: View = plain("serial", "stage", ...Object.keys(unknown));

/** Plugins tell who the co-owners are or how many. */
const withCoOwners: View = { ...wholeHouse, coOwners: values };

/** A ShardHouse whole, but for whose account it is where the reader may not know. */
export function viewHouse(state: Fields, updatedAt: Date, seesAccount: boolean): Fields {
  const view = Array.isArray(state["coOwners"]) ? withCoOwners : wholeHouse;
  const house = showAll(view, { ...unknown, ...state });
  return {
    ...house,
    ownerAcct: seesAccount ? house["ownerAcct"] : null,
    builtOn: isoTime(state["builtOn"]),
    lastRefreshed: isoTime(state["lastRefreshed"]),
    lastTraded: isoTime(state["lastTraded"]),
    nextStageAt: isoTime(state["nextStageAt"]),
    isIdoc: isIdoc(house as { stage: string }),
    updatedAt,
  };
}
