import { readHouses, readIdocHouses } from "../../shared/shard/public/houses.ts";
import { defineRoute } from "../http/route.ts";
import { createCallerFieldCheck } from "./may-see.ts";

export const housesRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     PublicHouse:
   *       type: object
   *       description: >-
   *         A house in danger of collapsing. `name` and `region` are absent for callers below the
   *         audience that their field rules set.
   *       additionalProperties: false
   *       required: [serial, stage, map, x, y, z, isIdoc, updatedAt]
   *       properties:
   *         serial: { type: string, example: '0x40012B00' }
   *         stage: { $ref: '#/components/schemas/DecayStage' }
   *         map: { $ref: '#/components/schemas/FacetName' }
   *         x: { $ref: '#/components/schemas/Coordinate' }
   *         y: { $ref: '#/components/schemas/Coordinate' }
   *         z: { $ref: '#/components/schemas/Coordinate' }
   *         region: { $ref: '#/components/schemas/RegionName' }
   *         name: { type: string, nullable: true }
   *         isIdoc: { type: boolean, description: Always true in this list. }
   *         updatedAt: { type: string, format: date-time }
   */
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/houses",
    gate: "feature:houses",
    set: "core",
    tag: "Shard",
    summary: "List the houses in danger of collapsing",
    description:
      "Returns every house in the decay stage `IDOC` (in danger of collapsing), sorted by " +
      "serial. `name` and `region` are left out for callers below the audience that their field " +
      "rules set. The data comes from the service's own database, so it is also available while " +
      "the shard is down.",
    answers: { 200: { listOf: "PublicHouse" } },
    keepMs: 500,
    followsStream: true,
    handle: ({ caller }, context) =>
      readIdocHouses(createCallerFieldCheck("houses", caller, context), context),
  }),
  /**
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
   *             Number of co-owners, or list of the co-owners' serials. The shard decides whether
   *             this is a number or a list.
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
  defineRoute({
    method: "get",
    path: "/api/v1/admin/shard/houses",
    gate: "roles:admin,moderator",
    set: "core",
    tag: "Shard staff",
    summary: "List all houses",
    description:
      "Returns all houses, sorted by name. The list is not divided into pages. For moderators, " +
      "`ownerAcct` is always null. The data comes from the service's own database, so it is also " +
      "available while the shard is down.",
    answers: { 200: { listOf: "ShardHouse" } },
    handle: ({ caller }, context) => readHouses(caller.role === "admin", context),
  }),
];
