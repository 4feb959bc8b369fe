import type { Transaction } from "sequelize";

import { statementStart } from "../../../models/queries/clock.ts";
import type { SurvivalFactionPair } from "../../../models/survival/npcs/survival-faction-pair.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { hashContent, requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { type Fault, invalidFieldsError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import type { SurvivalContext } from "../context.ts";
import { requestSync } from "../sync/request-sync.ts";

/** The stance between two factions, in either order. */
export type FactionPair = Pick<SurvivalFactionPair, "a" | "b" | "stance">;

export interface FactionTable {
  /** All factions that an NPC profile or a relation of two factions names. */
  readonly factions: readonly string[];
  readonly pairs: readonly FactionPair[];
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
  readonly revision: string;
}

export async function readFactions({ models }: Pick<Context, "models">): Promise<FactionTable> {
  const [table, pairs, profiles] = await Promise.all([
    models.SurvivalFactionTable.findByPk(1, {
      include: [{ association: "changedBy", attributes: ["username"] }],
      rejectOnEmpty: true,
    }),
    models.SurvivalFactionPair.findAll({ order: ["a", "b"], raw: true }),
    models.SurvivalNpcProfile.findAll({
      where: { isDeleted: false },
      attributes: ["document"],
      raw: true,
    }),
  ]);
  const stored = pairs.map(({ a, b, stance }) => ({ a, b, stance }));
  const used = profiles
    .map(({ document }) => document["faction"])
    .filter((faction) => typeof faction === "string");
  const named = pairs.flatMap(({ a, b }) => [a, b]);
  return {
    factions: [...new Set([...used, ...named])].toSorted(),
    pairs: stored,
    revision: hashContent(stored),
    updatedAt: table.updatedAt,
    updatedBy: table.changedBy?.username ?? null,
  };
}

/** Replaces all pairs. @throws AppError naming each duplicate and each pair of equal factions */
export async function writeFactions(
  given: readonly FactionPair[],
  caller: Caller,
  context: SurvivalContext,
): Promise<void> {
  const pairs = given.map(sortPair);
  const faults = faultsOf(pairs);
  if (faults.length > 0) throw invalidFieldsError(faults);
  await inCallersTransaction(context.sequelize, async (transaction) => {
    await replacePairs(pairs, caller, transaction);
    const detail = { pairs: pairs.length };
    await recordActivity(
      { actor: caller, action: "survival.npc.factions_changed", detail },
      transaction,
    );
    const ask = { names: ["npcs"], serverIds: "all", reason: "factions" } as const;
    await requestSync(ask, context, transaction);
  });
}

/** Orders the two factions, so that a pair is stored as one row. */
const sortPair = ({ a, b, stance }: FactionPair): FactionPair =>
  a < b ? { a, b, stance } : { a: b, b: a, stance };

function faultsOf(pairs: readonly FactionPair[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [index, { a, b }] of pairs.entries()) {
    const path = `pairs.${index}`;
    const pair = `${a} ${b}`;
    if (a === b) faults.push({ path, message: `${a} cannot be in a pair with itself` });
    if (seen.has(pair)) faults.push({ path, message: `${a} and ${b} occur twice as a pair` });
    seen.add(pair);
  }
  const count = new Set(pairs.flatMap(({ a, b }) => [a, b])).size;
  if (count > limits.npcFactions) {
    const message = `pairs must name at most ${limits.npcFactions} factions, not ${count}`;
    faults.push({ path: "pairs", message });
  }
  return faults;
}

/** Serializes writers, so that the table never mixes two versions. */
async function replacePairs(
  pairs: readonly FactionPair[],
  { userId }: Caller,
  transaction: Transaction,
): Promise<void> {
  const { SurvivalFactionTable: Table, SurvivalFactionPair: Pair } = modelsOf(transaction);
  await Table.update(
    { updatedAt: statementStart(), updatedBy: userId },
    { where: { id: 1 }, transaction },
  );
  const stored = await Pair.findAll({ order: ["a", "b"], raw: true, transaction });
  requireBaseRevision(hashContent(stored.map(({ a, b, stance }) => ({ a, b, stance }))));
  await Pair.destroy({ where: {}, transaction });
  await Pair.bulkCreate([...pairs], { transaction });
}
