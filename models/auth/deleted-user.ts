import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { key } from "../columns.ts";

/** The id of a deleted user. A trigger writes it on every deletion. */
export class DeletedUser extends Model<
  InferAttributes<DeletedUser>,
  InferCreationAttributes<DeletedUser>
> {
  declare id: number;
}

export const define = (sequelize: Sequelize): typeof DeletedUser =>
  class extends DeletedUser {}.init(
    { id: key(DataTypes.INTEGER) },
    { sequelize, modelName: "DeletedUser", tableName: "deleted_users" },
  );
