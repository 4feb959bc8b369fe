import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { primaryKeyColumn } from "../columns.ts";

/** The id of a deleted user. A trigger writes it on every deletion. */
export class DeletedUser extends Model<
  InferAttributes<DeletedUser>,
  InferCreationAttributes<DeletedUser>
> {
  declare id: number;
}

export const defineModel = (sequelize: Sequelize): typeof DeletedUser =>
  class extends DeletedUser {}.init(
    { id: primaryKeyColumn(DataTypes.INTEGER) },
    { sequelize, modelName: "DeletedUser", tableName: "deleted_users" },
  );
