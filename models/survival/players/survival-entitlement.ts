import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../../association.ts";
import {
  clockTimeColumn,
  identityColumn,
  optionalColumn,
  requiredColumn,
  uniqueColumn,
  withDefault,
} from "../../columns.ts";
import { computeColumn } from "../../queries/plain-rows.ts";

export type EntitlementState = "pending" | "delivered" | "redeemed" | "expired" | "failed";

/** A kit that a player may take in the game, `uses` times. */
export class SurvivalEntitlement extends Model<
  InferAttributes<SurvivalEntitlement>,
  InferCreationAttributes<SurvivalEntitlement>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  declare steamId: string;
  declare kit: string;
  declare uses: number;
  declare used: CreationOptional<number>;
  declare expiresAt: Date | null;
  declare state: CreationOptional<EntitlementState>;
  declare error: string | null;
  /** How often the kit was delivered again after a wipe. */
  declare round: CreationOptional<number>;
  declare createdAt: CreationOptional<Date>;
  declare deliveredAt: Date | null;
  declare redeemedAt: Date | null;
  declare runId: number | null;
  declare stepId: number | null;
  /** Deduplicates repeated grants. */
  declare dedupeKey: string;
  declare isTold: CreationOptional<boolean>;

  /** An expired entitlement counts as expired even before a job marks it. */
  static readonly stateNow = computeColumn<EntitlementState>(
    `case when "SurvivalEntitlement"."state" in ('pending', 'delivered')
      and "SurvivalEntitlement"."expires_at" <= clock_timestamp()
      then 'expired' else "SurvivalEntitlement"."state" end`,
  );
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalEntitlement =>
  class extends SurvivalEntitlement {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      serverId: requiredColumn(DataTypes.INTEGER),
      steamId: requiredColumn(DataTypes.TEXT),
      kit: requiredColumn(DataTypes.TEXT),
      uses: requiredColumn(DataTypes.INTEGER),
      used: withDefault(DataTypes.INTEGER, 0),
      expiresAt: optionalColumn(DataTypes.DATE),
      state: withDefault(DataTypes.TEXT, "pending"),
      error: optionalColumn(DataTypes.TEXT),
      round: withDefault(DataTypes.INTEGER, 0),
      createdAt: clockTimeColumn(),
      deliveredAt: optionalColumn(DataTypes.DATE),
      redeemedAt: optionalColumn(DataTypes.DATE),
      runId: optionalColumn(DataTypes.INTEGER),
      stepId: optionalColumn(DataTypes.INTEGER),
      dedupeKey: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      isTold: withDefault(DataTypes.BOOLEAN, false),
    },
    { sequelize, modelName: "SurvivalEntitlement", tableName: "survival_entitlements" },
  );
