import type { Transaction } from "sequelize";

import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { ZonePlace } from "../../../models/survival/survival-zone-lease.ts";
import type { SurvivalZonePreset } from "../../../models/survival/survival-zone-preset.ts";
import { requireBaseRevision } from "../../platform/base-revision.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { AppError, type Fault, invalidFieldsError } from "../../platform/errors/errors.ts";
import { lacksCapability } from "../calls/call-rules.ts";
import { presetRevision } from "./presets.ts";

export interface ZoneOpening {
  readonly serverId: number;
  readonly presetKey: string;
  readonly at: ZonePlace;
  readonly durationSec: number;
}

/** Returns the preset of a zone to open. @throws {AppError} naming each fault; helper_missing */
export async function checkZoneOpening(
  opening: ZoneOpening,
  transaction: Transaction,
): Promise<SurvivalZonePreset> {
  const { SurvivalServerState: State, SurvivalZonePreset } = modelsOf(transaction);
  const state = await State.findByPk(opening.serverId, { raw: true, transaction });
  const where = { key: opening.presetKey };
  const lock = transaction.LOCK.SHARE;
  const preset = await SurvivalZonePreset.findOne({ where, transaction, lock });
  if (!preset) throw fieldError("presetKey", "there is no such preset");
  requireBaseRevision(presetRevision(preset));
  const faults = [...presetFaults(preset, opening), ...placeFaults(opening.at, state)];
  if (faults.length > 0) throw invalidFieldsError(faults);
  if (lacksCapability(state, "zones")) throw helperMissingError();
  return preset;
}

export const helperMissingError = (): AppError =>
  new AppError("helper_missing", "The server has not loaded a mod that this zone needs");

export const fieldError = (path: string, message: string): AppError =>
  invalidFieldsError([{ path, message }]);

function presetFaults(
  { serverIds, maxDurationSec }: SurvivalZonePreset,
  { serverId, durationSec }: ZoneOpening,
): Fault[] {
  const isElsewhere = serverIds !== null && !serverIds.includes(serverId);
  const isTooLong = durationSec > maxDurationSec;
  return [
    ...(isElsewhere ? [{ path: "presetKey", message: "the preset is not for this server" }] : []),
    ...(isTooLong
      ? [{ path: "durationSec", message: `the preset allows at most ${maxDurationSec} seconds` }]
      : []),
  ];
}

/** Returns a fault unless the label names one monument. If the map is unknown, the game checks the label. */
function placeFaults(
  at: ZonePlace,
  state: Pick<SurvivalServerState, "map"> | null,
): readonly Fault[] {
  const monuments = state?.map?.["monuments"];
  if (!("monument" in at) || !Array.isArray(monuments)) return [];
  const named = monuments.filter(({ label }: { readonly label: string }) => label === at.monument);
  if (named.length === 1) return [];
  const many = `${named.length} monuments of the map have this label: give a point`;
  const message = named.length === 0 ? "no monument of the map has this label" : many;
  return [{ path: "at", message }];
}

const number = String.raw`(-?\d{1,6}(?:\.\d{1,6})?)`;
const point = new RegExp(`^\\s*${number}[\\s,]+${number}[\\s,]+${number}\\s*$`);

/** Parses the place of an event step: a point as `x y z`, or the label of a monument. */
export function parseZonePlace(text: string): ZonePlace {
  const found = point.exec(text);
  if (!found) return { monument: text.trim() };
  const [x = 0, y = 0, z = 0] = found.slice(1).map(Number);
  return { x, y, z };
}
