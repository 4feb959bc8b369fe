import type { Action } from "./action.ts";
import { coreActions } from "./core.ts";
import { shardActions } from "./shard.ts";
import { siteActions } from "./site.ts";
import { survivalKitActions } from "./survival-kits.ts";
import { survivalParticipationActions } from "./survival-participation.ts";
import { survivalWorldActions } from "./survival.ts";

/** CATALOGUE of the actions that steps can perform; a module adds its actions here in one line. */
export const actions: readonly Action[] = [
  ...coreActions,
  ...siteActions,
  ...shardActions,
  ...survivalWorldActions,
  ...survivalParticipationActions,
  ...survivalKitActions,
];

const byId: ReadonlyMap<string, Action> = new Map(actions.map((one) => [one.id, one]));

export const findAction = (id: string): Action | undefined => byId.get(id);
