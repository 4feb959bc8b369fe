import type { Context } from "../../platform/context.ts";

/**
 * The characters of a user's game accounts that are in the game now.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnOnlineCharacter:
 *       type: object
 *       additionalProperties: false
 *       required: [serial, name, map, x, y, z, region]
 *       properties:
 *         serial: { type: string, example: '0x0000ABCD' }
 *         name: { type: string }
 *         map: { type: string, nullable: true }
 *         x: { type: integer, nullable: true }
 *         y: { type: integer, nullable: true }
 *         z: { type: integer, nullable: true }
 *         region: { type: string, nullable: true }
 */
export async function readOwnCharacters(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.OnlineCharacter.findAll({
    attributes: ["serial", "name", "map", "x", "y", "z", "region"],
    include: [{ association: "link", attributes: [], where: { userId } }],
    order: ["serial"],
    raw: true,
  });
}
