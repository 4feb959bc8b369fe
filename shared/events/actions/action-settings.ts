import type { Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import { type Actor, recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { type PointerFault, toJsonPointer } from "../../platform/errors/pointer-faults.ts";
import { changesWorld } from "../vocabulary.ts";
import type { Action } from "./action.ts";
import { actions, findAction } from "./catalogue.ts";

/** The maximum that a run may spend, by dimension, such as `kits`. */
export type SpendingCaps = Readonly<Record<string, number>>;

export interface ConfiguredAction {
  readonly action: Action;
  readonly enabled: boolean;
  /** True if an administrator has set `enabled`. Otherwise the action's risk determines if it is enabled. */
  readonly configured: boolean;
  readonly changesWorld: boolean;
  readonly caps: SpendingCaps;
  readonly updatedAt: Date | null;
  readonly updatedBy: number | null;
}

/** Returns every action with its settings, in the catalogue's order. */
export async function readActionSettings(
  { models }: { readonly models: Models },
  transaction?: Transaction,
): Promise<ConfiguredAction[]> {
  const rows = await models.EventActionSetting.findAll({ ...(transaction && { transaction }) });
  const settings = new Map(rows.map((row) => [row.actionId, row]));
  return actions.map((action) => {
    const setting = settings.get(action.id);
    return {
      action,
      enabled: setting?.enabled ?? !changesWorld(action.risk),
      configured: setting !== undefined,
      changesWorld: changesWorld(action.risk),
      caps: setting?.caps ?? {},
      updatedAt: setting?.updatedAt ?? null,
      updatedBy: setting?.updatedBy ?? null,
    };
  });
}

export interface ActionSettings {
  readonly actionId: string;
  readonly enabled: boolean;
  /** The new caps; null or an empty text removes one. If the field is absent, the caps stay. */
  readonly caps?: Readonly<Record<string, number | null | "">> | undefined;
}

/** @throws AppError missing if the body names an unknown action */
export function findCapFaults(given: unknown): PointerFault[] {
  const { actionId, caps } = (given ?? {}) as { readonly actionId?: unknown; caps?: unknown };
  if (typeof actionId !== "string") return [];
  const action = findAction(actionId);
  if (!action) throw notFoundError("Unknown action");
  const named = typeof caps === "object" && caps !== null ? Object.keys(caps) : [];
  return named
    .filter((dimension) => !action.dimensions.includes(dimension))
    .map((dimension) => ({
      path: toJsonPointer(["caps", dimension]),
      code: "unknown",
      message: `${actionId} does not use ${dimension}`,
    }));
}

/** Switches an action on or off for all runs and sets its caps. */
export async function configureAction(
  { actionId, enabled, caps }: ActionSettings,
  actor: Actor,
  { sequelize, models }: Context,
): Promise<ConfiguredAction> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const set = caps && capsOf(caps);
    await models.EventActionSetting.upsert(
      {
        actionId,
        enabled,
        ...(set && { caps: set }),
        updatedAt: transactionStart(),
        updatedBy: actor.userId,
      },
      { transaction },
    );
    const target = { type: "action", id: actionId };
    const detail = { enabled, ...(set && { caps: set }) };
    await recordActivity({ actor, action: "event.action.configured", target, detail }, transaction);
    const all = await readActionSettings({ models }, transaction);
    return all.find(({ action }) => action.id === actionId) as ConfiguredAction;
  });
}

const capsOf = (given: NonNullable<ActionSettings["caps"]>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number",
    ),
  );
