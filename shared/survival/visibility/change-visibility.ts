import { transactionStart } from "../../../models/queries/clock.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { hashContent, requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { rows } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";
import type { SurvivalContext } from "../context.ts";
import { checkSurvivalVisibilityUpdate } from "./visibility-update.ts";
import {
  mergeSurvivalVisibility,
  isMonumentVisible,
  type SurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "./visibility.ts";

/** The setting for a monument label; several monuments of a map may have the same label. */
interface MonumentSwitch {
  readonly label: string;
  readonly name: string | null;
  readonly shown: boolean;
  /** Servers whose map has the label. */
  readonly servers: readonly number[];
}

export interface VisibilityConfig {
  readonly visibility: SurvivalVisibility;
  readonly monuments: readonly MonumentSwitch[];
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
  readonly revision: string;
}

export async function readVisibilityConfig(context: SurvivalContext): Promise<VisibilityConfig> {
  const [stored, labels] = await Promise.all([
    context.models.SurvivalVisibility.findByPk(1, {
      include: [{ association: "changedBy", attributes: ["username"] }],
      rejectOnEmpty: true,
    }),
    readLabels(context),
  ]);
  const changedBy = stored.get("changedBy") as { readonly username: string } | null;
  const override = stored.override as SurvivalVisibilityOverrides;
  return {
    visibility: mergeSurvivalVisibility(override),
    monuments: addMissingLabels(labels, override).map((one) => ({
      ...one,
      shown: isMonumentVisible(override, one.label),
    })),
    revision: hashContent(stored.override),
    updatedAt: stored.updatedAt,
    updatedBy: changedBy?.username ?? null,
  };
}

/** @throws AppError naming every fault; then nothing is changed */
export async function changeVisibility(
  change: object,
  caller: Caller,
  context: SurvivalContext,
): Promise<VisibilityConfig> {
  const labels = await readLabels(context);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const stored = await modelsOf(transaction).SurvivalVisibility.findByPk(1, {
      transaction,
      lock: transaction.LOCK.UPDATE,
      rejectOnEmpty: true,
    });
    requireBaseRevision(hashContent(stored.override));
    const known = stored.override as SurvivalVisibilityOverrides;
    const seen = new Set(addMissingLabels(labels, known).map(({ label }) => label));
    const override = checkSurvivalVisibilityUpdate(change, known, seen);
    await stored.update(
      { override: { ...override }, updatedAt: transactionStart(), updatedBy: caller.userId },
      { transaction },
    );
    await notify("visibility", {}, transaction);
    await recordActivity(
      { actor: caller, action: "survival.visibility.changed", detail: { ...change } },
      transaction,
    );
  });
  return readVisibilityConfig(context);
}

type Label = Omit<MonumentSwitch, "shown">;

/** Adds labels that have a setting but are on no map any more, so that the setting can be reset. */
function addMissingLabels(
  labels: readonly Label[],
  { monuments = {} }: SurvivalVisibilityOverrides,
) {
  const there = new Set(labels.map(({ label }) => label));
  const gone = Object.keys(monuments).filter((label) => !there.has(label));
  return [...labels, ...gone.toSorted().map((label) => ({ label, name: null, servers: [] }))];
}

const readLabels = ({ sequelize }: Pick<Context, "sequelize">): Promise<Label[]> =>
  rows(
    sequelize,
    `select monument ->> 'label' as label, min(monument ->> 'name') as name,
       array_agg(distinct server_id order by server_id) as servers
     from survival_server_states, jsonb_array_elements(map -> 'monuments') as monument
     group by 1 order by 1`,
  );
