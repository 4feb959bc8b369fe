import type { Context } from "../../../platform/context.ts";
import { invalid } from "../../../platform/errors/errors.ts";

interface Named {
  readonly serverId: number;
  readonly name: string;
}

/**
 * The game brings as many NPCs as a placement has, whatever was counted on: one that has more is not
 * brought at all. Of a placement that the game alone knows nothing is known here.
 * @throws AppError invalid
 */
export async function refuseMoreThan(
  most: number,
  where: Named,
  { models }: Pick<Context, "models">,
): Promise<void> {
  const found = await models.SurvivalNpcPlacement.findOne({ where: { ...where }, raw: true });
  if (!found || found.count <= most) return;
  throw invalid(`the placement ${where.name} has ${found.count} NPCs, and the step counts ${most}`);
}
