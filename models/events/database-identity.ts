import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type Sequelize,
} from "sequelize";

import { singleRowKey, withDefault } from "../columns.ts";

/** The identity of this database. Keys begin with it, so that a recreated database does not reuse old keys. */
export class DatabaseIdentity extends Model<
  InferAttributes<DatabaseIdentity>,
  InferCreationAttributes<DatabaseIdentity>
> {
  declare id: CreationOptional<number>;
  declare uuid: CreationOptional<string>;
}

export const defineModel = (sequelize: Sequelize): typeof DatabaseIdentity =>
  class extends DatabaseIdentity {}.init(
    {
      id: singleRowKey(),
      uuid: withDefault(DataTypes.UUID, literal("gen_random_uuid()")),
    },
    {
      sequelize,
      modelName: "EventInstallation",
      tableName: "event_installation",
    },
  );
