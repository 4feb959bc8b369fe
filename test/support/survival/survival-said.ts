import type { SurvivalSimulator } from "../../simulator/survival/simulator.ts";
import { waitUntil } from "../clock/wait.ts";
import type { DatabaseHolder } from "../database/query.ts";

let said = 0;

/**
 * Emits an event of an unknown kind and waits until it is stored. All earlier events are stored
 * then, too.
 */
export async function waitUntilStored(
  { context }: DatabaseHolder,
  simulator: Pick<SurvivalSimulator, "emit">,
  serverId: number,
): Promise<void> {
  const kind = `marker.n${++said}`;
  simulator.emit(kind, {});
  const where = { serverId, kind };
  const isStored = async () => (await context.models.SurvivalEvent.count({ where })) > 0;
  await waitUntil(`${kind} is stored`, isStored);
}
