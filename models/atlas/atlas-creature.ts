import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  Op,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn, optionalColumn, requiredColumn } from "../columns.ts";

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

export const defineModel = (sequelize: Sequelize): typeof AtlasCreature =>
  class extends AtlasCreature {}.init(
    {
      generation: primaryKeyColumn(DataTypes.INTEGER),
      typeKey: primaryKeyColumn(DataTypes.TEXT),
      type: requiredColumn(DataTypes.TEXT),
      status: optionalColumn(DataTypes.TEXT),
      body: optionalColumn(DataTypes.INTEGER),
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
