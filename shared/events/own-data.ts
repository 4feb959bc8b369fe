import type { Context } from "../platform/context.ts";

/**
 * Runs of events that the user took part in.
 *
 * @openapi
 * components:
 *   schemas:
 *     OwnParticipation:
 *       type: object
 *       additionalProperties: false
 *       required: [run_id, at, rewards]
 *       properties:
 *         run_id: { type: integer }
 *         at: { type: string, format: date-time, description: When the service recorded the participation. }
 *         rewards:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [kit, count]
 *             properties:
 *               kit: { type: string, description: Name of the kit on the survival server., example: veteran }
 *               count:
 *                 type: integer
 *                 description: How many times in total the user may take the kit.
 */
export async function readOwnParticipations(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  const found = await models.EventParticipation.findAll({ where: { userId }, order: ["id"] });
  return found.map(({ runId, at, rewards }) => ({ run_id: runId, at, rewards }));
}
