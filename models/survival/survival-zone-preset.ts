import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  uniqueColumn,
} from "../columns.ts";

export type ZoneShape =
  | { readonly kind: "sphere"; readonly radius: number }
  | { readonly kind: "box"; readonly x: number; readonly y: number; readonly z: number };

/** The properties of a zone, as sent to the game. */
export interface ZoneDocument {
  readonly shape: ZoneShape;
  /** Degrees. */
  readonly rotation: number;
  readonly flags: readonly string[];
  readonly radiation: number;
  readonly comfort: number;
  readonly temperature: number;
  readonly safeZone: boolean;
  readonly enterMessage: string | null;
  readonly leaveMessage: string | null;
  readonly permission: string | null;
  readonly ejectSpawns: string | null;
  readonly ruleset: string | null;
  readonly dome: { readonly enabled: boolean; readonly darkness: number } | null;
}

/** A template of zones that staff open. */
export class SurvivalZonePreset extends Model<
  InferAttributes<SurvivalZonePreset>,
  InferCreationAttributes<SurvivalZonePreset>
> {
  declare id: CreationOptional<number>;
  declare key: string;
  declare name: string;
  declare document: ZoneDocument;
  declare maxDurationSec: number;
  declare color: string | null;
  /** Servers on which zones may be opened from the preset; null for all servers. */
  declare serverIds: number[] | null;
  declare createdAt: CreationOptional<Date>;
  declare updatedAt: CreationOptional<Date>;
  declare updatedBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "changedBy", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof SurvivalZonePreset =>
  class extends SurvivalZonePreset {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      key: uniqueColumn(requiredColumn(DataTypes.TEXT)),
      name: requiredColumn(DataTypes.TEXT),
      document: requiredColumn(DataTypes.JSONB),
      maxDurationSec: requiredColumn(DataTypes.INTEGER),
      color: optionalColumn(DataTypes.TEXT),
      serverIds: optionalColumn(DataTypes.ARRAY(DataTypes.INTEGER)),
      createdAt: transactionTimeColumn(),
      updatedAt: transactionTimeColumn(),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "SurvivalZonePreset", tableName: "survival_zone_presets" },
  );
