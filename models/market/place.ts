import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { identity, optional } from "../columns.ts";

/** A facet and region with vendors. */
export class Place extends Model<InferAttributes<Place>, InferCreationAttributes<Place>> {
  declare id: CreationOptional<number>;
  declare map: string | null;
  declare region: string | null;
}

export const define = (sequelize: Sequelize): typeof Place =>
  class extends Place {}.init(
    {
      id: identity(DataTypes.INTEGER),
      map: optional(DataTypes.TEXT),
      region: optional(DataTypes.TEXT),
    },
    { sequelize, modelName: "Place", tableName: "places" },
  );
