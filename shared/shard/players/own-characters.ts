import type { Context } from "../../platform/context.ts";

/** The characters of a user's game accounts that are in the game now. */
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
