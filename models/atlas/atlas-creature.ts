import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import { key, optional, required } from "../columns.ts";

/** A type of creature that spawns, with its body. */
export class AtlasCreature extends Model<
  InferAttributes<AtlasCreature>,
  InferCreationAttributes<AtlasCreature>
> {
  declare generation: number;
  declare typeKey: string;
  declare type: string;
  declare status: string | null;
  declare body: number | null;
}

export const define = (sequelize: Sequelize): typeof AtlasCreature =>
  class extends AtlasCreature {}.init(
    {
      generation: key(DataTypes.INTEGER),
      typeKey: key(DataTypes.TEXT),
      type: required(DataTypes.TEXT),
      status: optional(DataTypes.TEXT),
      body: optional(DataTypes.INTEGER),
    },
    {
      sequelize,
      modelName: "AtlasCreature",
      tableName: "atlas_creatures",
      scopes: {
        /** Rows of the generation that is current when the statement runs. */
        shown: {
          where: { generation: { [Op.eq]: literal("(select generation from atlas_state)") } },
        },
      },
    },
  );
