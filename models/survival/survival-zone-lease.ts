import {
  col,
  type CreationOptional,
  DataTypes,
  fn,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  Op,
  type Sequelize,
  where as compare,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  clockTimeColumn,
  primaryKeyColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../columns.ts";
import { clockNowPlus, clockNow } from "../queries/clock.ts";
import type { ZoneDocument } from "./survival-zone-preset.ts";

/** A point of a world, or a monument with a unique label. */
export type ZonePlace =
  | { readonly x: number; readonly y: number; readonly z: number }
  | { readonly monument: string };

/** The preset as it was when the zone was opened. Older releases did not store its name. */
type PresetSnapshot = ZoneDocument & { readonly name?: string };

export type ZoneLeaseState = "opening" | "open" | "closing" | "closed" | "expired" | "failed";

/** A zone in a world. The game ends the zone unless the site renews its lease. */
export class SurvivalZoneLease extends Model<
  InferAttributes<SurvivalZoneLease>,
  InferCreationAttributes<SurvivalZoneLease>
> {
  declare leaseId: string;
  declare serverId: number;
  declare presetKey: string;
  declare preset: PresetSnapshot;
  declare at: ZonePlace;
  declare durationSec: number;
  declare state: CreationOptional<ZoneLeaseState>;
  declare openedAt: CreationOptional<Date>;
  declare leaseUntil: Date;
  /** Time at which the game ends the zone, unless the site renews the lease first. */
  declare heldUntil: Date;
  declare endedAt: Date | null;
  declare reason: string | null;
  declare runId: number | null;
  declare stepId: number | null;
  /** Key of the step that opens the zone. All attempts of the step share one zone. */
  declare stepKey: string | null;
  declare openedBy: number | null;

  /** Extends the lease of an open zone. @returns its new end in whole milliseconds; null if the zone is not open */
  static async extendHold(leaseId: string, ms: number): Promise<Date | null> {
    const where = { leaseId, state: "open" } as const;
    const [, [held]] = await this.update(
      { heldUntil: clockNowPlus(ms) },
      { where, returning: true },
    );
    return held?.heldUntil ?? null;
  }

  /** Restores the former end of a lease, unless another attempt has changed it. */
  static async restoreHold(
    { leaseId, heldUntil }: Pick<SurvivalZoneLease, "leaseId" | "heldUntil">,
    noted: Date,
  ): Promise<void> {
    const inMs = fn("date_trunc", "milliseconds", col("held_until"));
    const isNoted = compare(inMs, noted.toISOString());
    await this.update(
      { heldUntil },
      { where: { leaseId, state: ["open", "closing"], [Op.and]: isNoted } },
    );
  }
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
  { owner: "User", as: "opener", foreignKey: "openedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalZoneLease =>
  class extends SurvivalZoneLease {}.init(
    {
      leaseId: primaryKeyColumn(DataTypes.UUID),
      serverId: requiredColumn(DataTypes.INTEGER),
      presetKey: requiredColumn(DataTypes.TEXT),
      preset: requiredColumn(DataTypes.JSONB),
      at: requiredColumn(DataTypes.JSONB),
      durationSec: requiredColumn(DataTypes.INTEGER),
      state: withDefault(DataTypes.TEXT, "opening"),
      openedAt: clockTimeColumn(),
      leaseUntil: requiredColumn(DataTypes.DATE),
      heldUntil: requiredColumn(DataTypes.DATE),
      endedAt: optionalColumn(DataTypes.DATE),
      reason: optionalColumn(DataTypes.TEXT),
      runId: optionalColumn(DataTypes.INTEGER),
      stepId: optionalColumn(DataTypes.INTEGER),
      stepKey: uniqueColumn(optionalColumn(DataTypes.TEXT)),
      openedBy: optionalColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "SurvivalZoneLease",
      tableName: "survival_zone_leases",
      scopes: {
        live: { where: { state: ["opening", "open", "closing"] } },
        /** Zones whose lease is over: the site or the game has ended them. */
        lapsed: () => ({ where: { heldUntil: { [Op.lte]: clockNow() } } }),
      },
    },
  );
