import type { Context } from "../platform/context.ts";

/** Returns the runs that the user took part in, with the user's rewards. */
export async function readOwnParticipations(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const found = await models.EventParticipation.findAll({ where: { userId }, order: ["id"] });
  return found.map(({ runId, at, rewards }) => ({ run_id: runId, at, rewards }));
}
