import { isIdoc } from "../kinds/houses.ts";
import { isoTime } from "../values/times.ts";
import { type Fields, plain, showAll, values, type View } from "../values/view.ts";

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

/**
 * A ShardHouse whole, but for whose account it is where the reader may not know.
 *
 * @openapi
 * components:
 *   schemas:
 *     ShardHouse:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, stage, map, x, y, z, region, name, type, ownerSerial, ownerAcct, price,
 *         coOwners, public, decayType, builtOn, lastRefreshed, lastTraded, nextStageAt, isIdoc,
 *         updatedAt]
 *       properties:
 *         serial: { type: string, example: '0x40012B00' }
 *         stage: { $ref: '#/components/schemas/DecayStage' }
 *         map: { $ref: '#/components/schemas/FacetName' }
 *         x: { $ref: '#/components/schemas/Coordinate' }
 *         y: { $ref: '#/components/schemas/Coordinate' }
 *         z: { $ref: '#/components/schemas/Coordinate' }
 *         region: { $ref: '#/components/schemas/RegionName' }
 *         name: { type: string, nullable: true }
 *         type: { type: string, nullable: true, example: TwoStoryVilla }
 *         ownerSerial: { type: string, nullable: true }
 *         ownerAcct:
 *           type: string
 *           nullable: true
 *           description: Game account of the house's owner. Moderators always receive null.
 *         price: { type: integer, nullable: true, description: Price in coins. }
 *         coOwners:
 *           description: >-
 *             Number of co-owners, or list of the co-owners' serials. Which of the two depends on
 *             the shard.
 *           oneOf: [{ type: integer, nullable: true }, { type: array, items: { type: string } }]
 *         public: { type: boolean, nullable: true, description: Whether everyone may enter the house. }
 *         decayType: { type: string, nullable: true, example: ManualRefresh }
 *         builtOn: { type: string, format: date-time, nullable: true }
 *         lastRefreshed: { type: string, format: date-time, nullable: true }
 *         lastTraded: { type: string, format: date-time, nullable: true }
 *         nextStageAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the house reaches its next decay stage.
 *         isIdoc: { type: boolean, description: Whether the house is in danger of collapsing. }
 *         updatedAt: { type: string, format: date-time }
 */
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
