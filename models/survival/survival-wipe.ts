import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { identityColumn, optionalColumn, requiredColumn, withDefault } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof SurvivalWipe =>
  class extends SurvivalWipe {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      serverId: requiredColumn(DataTypes.INTEGER),
      saveId: requiredColumn(DataTypes.BIGINT),
      startedAt: requiredColumn(DataTypes.DATE),
      endedAt: optionalColumn(DataTypes.DATE),
      kind: withDefault(DataTypes.TEXT, "unknown"),
      forced: withDefault(DataTypes.BOOLEAN, false),
      saveProtocol: optionalColumn(DataTypes.INTEGER),
      level: optionalColumn(DataTypes.TEXT),
      seed: optionalColumn(DataTypes.TEXT),
      worldSize: optionalColumn(DataTypes.INTEGER),
      mapHash: optionalColumn(DataTypes.TEXT),
      peak: optionalColumn(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "SurvivalWipe",
      tableName: "survival_wipes",
      indexes: [{ unique: true, fields: ["server_id", "save_id"] }],
    },
  );
