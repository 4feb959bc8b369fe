import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import type {
  SurvivalZonePreset,
  ZoneDocument,
} from "../../../models/survival/survival-zone-preset.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { requireBaseRevision, hashContent } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { isUniqueViolation } from "../../platform/db/rows.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import { refuseUnknownServers } from "../server-locks.ts";
import { hasDestructiveFlag } from "./zone-flags.ts";

/** The fields of a preset as sent. Omitted fields keep their values. */
export interface PresetFields extends Partial<ZoneDocument> {
  readonly key?: string;
  readonly name?: string;
  readonly maxDurationSec?: number;
  readonly color?: string | null;
  readonly servers?: "all" | readonly number[];
  /** Must be true to set flags with irreversible effects. */
  readonly confirmDestructive?: boolean;
}

export type NewPreset = PresetFields &
  Required<Pick<PresetFields, "key" | "name">> &
  Pick<ZoneDocument, "shape">;

const defaultZone: Omit<ZoneDocument, "shape"> = {
  rotation: 0,
  flags: [],
  radiation: 0,
  comfort: 0,
  temperature: 0,
  safeZone: false,
  enterMessage: null,
  leaveMessage: null,
  permission: null,
  ejectSpawns: null,
  ruleset: null,
  dome: null,
};

const defaultDurationSec = 3_600;

/** @throws AppError zone_preset_exists; or naming each invalid field */
export async function createPreset(
  given: NewPreset,
  caller: Caller,
  { sequelize }: Context,
): Promise<number> {
  return inCallersTransaction(sequelize, async (transaction) => {
    const { key, name, maxDurationSec = defaultDurationSec, color = null } = given;
    const document = mergedDocument({ ...defaultZone, shape: given.shape }, given);
    refuseUnconfirmed(document, given);
    const serverIds = await readServerIds(given.servers ?? "all", transaction);
    const preset = await throwIfKeyTaken(
      modelsOf(transaction).SurvivalZonePreset.create(
        { key, name, document, maxDurationSec, color, serverIds, updatedBy: caller.userId },
        { transaction },
      ),
    );
    await record("created", preset, caller, transaction);
    return preset.id;
  });
}

/** @throws AppError missing; or naming each invalid field */
export async function changePreset(
  id: number,
  given: PresetFields,
  caller: Caller,
  { sequelize }: Context,
): Promise<void> {
  await inCallersTransaction(sequelize, async (transaction) => {
    const preset = await lockPreset(id, transaction);
    if (given.key !== undefined && given.key !== preset.key) {
      throw invalidFieldsError([{ path: "key", message: "key cannot be changed" }]);
    }
    const document = mergedDocument(preset.document, given);
    refuseUnconfirmed(document, given);
    const { name, maxDurationSec, color, servers } = given;
    await preset.update(
      {
        document,
        ...(name !== undefined && { name }),
        ...(maxDurationSec !== undefined && { maxDurationSec }),
        ...(color !== undefined && { color }),
        ...(servers !== undefined && { serverIds: await readServerIds(servers, transaction) }),
        updatedAt: transactionStart(),
        updatedBy: caller.userId,
      },
      { transaction },
    );
    await record("changed", preset, caller, transaction);
  });
}

/** A function that returns the titles of events that use a preset. */
export type PresetUsesReader = (
  key: string,
  transaction: Transaction,
) => Promise<readonly string[]>;

/** @throws AppError missing; zone_preset_in_use if a step of an event opens zones of the preset */
export async function deletePreset(
  id: number,
  caller: Caller,
  findUses: PresetUsesReader,
  { sequelize }: Context,
): Promise<void> {
  await inCallersTransaction(sequelize, async (transaction) => {
    const preset = await lockPreset(id, transaction);
    const [title, ...more] = await findUses(preset.key, transaction);
    if (title !== undefined) {
      const others = more.length > 0 ? ` and ${more.length} more` : "";
      throw new AppError("zone_preset_in_use", `A step of ${title}${others} opens the preset`);
    }
    await preset.destroy({ transaction });
    await record("deleted", preset, caller, transaction);
  });
}

const mergedDocument = (before: ZoneDocument, given: PresetFields): ZoneDocument => {
  const names = ["shape", ...Object.keys(defaultZone)] as (keyof ZoneDocument)[];
  const changed = names.filter((name) => given[name] !== undefined);
  return { ...before, ...Object.fromEntries(changed.map((name) => [name, given[name]])) };
};

function refuseUnconfirmed({ flags }: ZoneDocument, { confirmDestructive }: PresetFields): void {
  if (!hasDestructiveFlag(flags) || confirmDestructive === true) return;
  const message = "confirmDestructive must be true, because the effect of a flag cannot be undone";
  throw invalidFieldsError([{ path: "confirmDestructive", message }]);
}

async function readServerIds(
  servers: "all" | readonly number[],
  transaction: Transaction,
): Promise<number[] | null> {
  if (servers === "all") return null;
  const ids = [...servers];
  const known = await modelsOf(transaction).SurvivalServer.findAll({
    where: { id: ids },
    attributes: ["id"],
    transaction,
  });
  refuseUnknownServers("servers", ids, new Set(known.map(({ id }) => id)));
  return ids;
}

/** Locks and returns the preset. Throws unless it has the revision that the caller read. */
async function lockPreset(id: number, transaction: Transaction): Promise<SurvivalZonePreset> {
  const preset = await modelsOf(transaction).SurvivalZonePreset.findOne({
    where: { id: matchClientId(id) },
    transaction,
    lock: transaction.LOCK.UPDATE,
  });
  if (!preset) throw notFoundError("There is no such preset");
  requireBaseRevision(presetRevision(preset));
  return preset;
}

async function throwIfKeyTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("zone_preset_exists", "Another preset has the key");
  }
}

const record = (
  verb: "created" | "changed" | "deleted",
  { id, key, document, serverIds }: SurvivalZonePreset,
  caller: Caller,
  transaction: Transaction,
): Promise<void> =>
  recordActivity(
    {
      actor: caller,
      action: `survival.zone.preset_${verb}`,
      target: { type: "survival_zone_preset", id },
      detail: { key, flags: document.flags, servers: serverIds ?? "all" },
    },
    transaction,
  );

/** Returns the hash of the fields that staff set. */
export const presetRevision = ({
  key,
  name,
  document,
  maxDurationSec,
  color,
  serverIds,
}: SurvivalZonePreset): string =>
  hashContent([key, name, document, maxDurationSec, color, serverIds]);
