import type { Context } from "../platform/context.ts";

/** Runs of events that the user took part in. */
export async function readOwnParticipations(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const found = await models.EventParticipation.findAll({ where: { userId }, order: ["id"] });
  return found.map(({ runId, at, rewards }) => ({ run_id: runId, at, rewards }));
}
