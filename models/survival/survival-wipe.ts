import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identity, optional, required, withDefault } from "../columns.ts";

/** `map`: the players kept their blueprints. `full`: the players lost their blueprints. */
export type WipeKind = "map" | "full" | "unknown";

/** A world of a survival server, from one wipe to the next. */
export class SurvivalWipe extends Model<
  InferAttributes<SurvivalWipe>,
  InferCreationAttributes<SurvivalWipe>
> {
  declare id: CreationOptional<number>;
  declare serverId: number;
  /** Creation time of the world, in epoch milliseconds. */
  declare saveId: number;
  declare startedAt: Date;
  declare endedAt: Date | null;
  declare kind: CreationOptional<WipeKind>;
  /** True if the save protocol changed, so that the old world could not be loaded. */
  declare forced: CreationOptional<boolean>;
  declare saveProtocol: number | null;
  declare level: string | null;
  declare seed: string | null;
  declare worldSize: number | null;
  declare mapHash: string | null;
  /** Highest number of players online at once. */
  declare peak: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "SurvivalServer", as: "server", foreignKey: "serverId", onDelete: "CASCADE" },
];

export const define = (sequelize: Sequelize): typeof SurvivalWipe =>
  class extends SurvivalWipe {}.init(
    {
      id: identity(DataTypes.INTEGER),
      serverId: required(DataTypes.INTEGER),
      saveId: required(DataTypes.BIGINT),
      startedAt: required(DataTypes.DATE),
      endedAt: optional(DataTypes.DATE),
      kind: withDefault(DataTypes.TEXT, "unknown"),
      forced: withDefault(DataTypes.BOOLEAN, false),
      saveProtocol: optional(DataTypes.INTEGER),
      level: optional(DataTypes.TEXT),
      seed: optional(DataTypes.TEXT),
      worldSize: optional(DataTypes.INTEGER),
      mapHash: optional(DataTypes.TEXT),
      peak: optional(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "SurvivalWipe",
      tableName: "survival_wipes",
      indexes: [{ unique: true, fields: ["server_id", "save_id"] }],
    },
  );
