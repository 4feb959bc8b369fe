import { Op, type Transaction } from "sequelize";

import { takeTransactionLock } from "../../shared/platform/db/lock.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { notFoundError } from "../../shared/platform/errors/errors.ts";
import { recordShellActivity } from "./accounts/record-from-shell.ts";
import type { ShellContext } from "./launch/shell-context.ts";

interface CreatureArt {
  /** The operator's choice, which is shown if its picture is stored. */
  readonly chosen: string | null;
  readonly derived: string | null;
}

export interface ChosenArt extends CreatureArt {
  /** The name in the atlas; in lower case if the atlas no longer contains the creature. */
  readonly type: string;
  readonly chosen: string;
  readonly isHeld: boolean;
}

/**
 * Sets the picture of a creature.
 * @param key of any stored picture, such as `body:401` or `item:3922:1153`
 * @throws AppError for an unknown creature or a picture that is not stored
 */
export function pinArt(type: string, key: string, context: ShellContext): Promise<void> {
  const typeKey = type.toLowerCase();
  const { CreatureArt } = context.models;
  return inTransaction(context.sequelize, async (transaction) => {
    // The lock keeps imports from deleting the picture meanwhile.
    await takeTransactionLock("assets", transaction);
    await requireCreature(type, context, transaction);
    await requirePicture(key, context, transaction);
    const art = await CreatureArt.findByPk(typeKey, { transaction });
    const before = art?.operatorKey ?? null;
    await CreatureArt.upsert({ typeKey, operatorKey: key }, { transaction });
    await record("art.pinned", typeKey, { before, after: key }, transaction);
  });
}

/**
 * Resets a creature to the picture of its body and returns that picture's key, if it has one.
 * @throws AppError if no picture was chosen
 */
export function unpinArt(type: string, context: ShellContext): Promise<string | null> {
  const typeKey = type.toLowerCase();
  const { CreatureArt } = context.models;
  return inTransaction(context.sequelize, async (transaction) => {
    await takeTransactionLock("assets", transaction);
    const art = await CreatureArt.findByPk(typeKey, { transaction });
    const { operatorKey: before = null, derivedKey = null } = art ?? {};
    if (!art || before === null) throw notFoundError(`No picture was chosen for ${type}`);
    if (derivedKey === null) await art.destroy({ transaction });
    else await art.update({ operatorKey: null }, { transaction });
    await record("art.unpinned", typeKey, { before }, transaction);
    return derivedKey;
  });
}

export async function listChosenArt({ models }: ShellContext): Promise<ChosenArt[]> {
  const creature = { as: "creature", attributes: ["type"], required: false };
  const art = await models.CreatureArt.findAll({
    where: { operatorKey: { [Op.ne]: null } },
    include: [
      { ...creature, model: models.AtlasCreature.scope("shown") },
      { association: "chosen", attributes: ["image"] },
    ],
    order: ["typeKey"],
  });
  return art.map((row) => ({
    type: row.creature?.type ?? row.typeKey,
    chosen: row.operatorKey as string,
    derived: row.derivedKey,
    isHeld: (row.chosen?.image ?? null) !== null,
  }));
}

async function requireCreature(
  type: string,
  { models }: ShellContext,
  transaction: Transaction,
): Promise<void> {
  const where = { typeKey: type.toLowerCase() };
  const creature = await models.AtlasCreature.scope("shown").findOne({ where, transaction });
  if (!creature) throw notFoundError(`The atlas has no creature ${type}`);
}

async function requirePicture(
  key: string,
  { models }: ShellContext,
  transaction: Transaction,
): Promise<void> {
  const where = { key, image: { [Op.ne]: null } };
  const picture = await models.Asset.findOne({ attributes: ["key"], where, transaction });
  if (!picture) throw notFoundError(`The site has no picture with the key ${key}`);
}

const record = (
  action: string,
  typeKey: string,
  detail: Readonly<Record<string, unknown>>,
  transaction: Transaction,
): Promise<void> =>
  recordShellActivity({ action, target: { type: "creature", id: typeKey }, detail }, transaction);
