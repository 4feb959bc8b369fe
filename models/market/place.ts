import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identityColumn, optionalColumn } from "../columns.ts";

/** A facet and region with vendors. */
export class Place extends Model<InferAttributes<Place>, InferCreationAttributes<Place>> {
  declare id: CreationOptional<number>;
  declare map: string | null;
  declare region: string | null;
}

export const defineModel = (sequelize: Sequelize): typeof Place =>
  class extends Place {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      map: optionalColumn(DataTypes.TEXT),
      region: optionalColumn(DataTypes.TEXT),
    },
    { sequelize, modelName: "Place", tableName: "places" },
  );
