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

/** The identity of this database, as a prefix of keys, so that a recreated database uses new ones. */
export class DatabaseIdentity extends Model<
  InferAttributes<DatabaseIdentity>,
  InferCreationAttributes<DatabaseIdentity>
> {
  declare id: CreationOptional<number>;
  declare uuid: CreationOptional<string>;
}

export const define = (sequelize: Sequelize): typeof DatabaseIdentity =>
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
