import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type Sequelize,
} from "sequelize";

import { onlyRow, withDefault } from "../columns.ts";

/** The identity of this database, as a prefix of keys, so that a recreated database uses new ones. */
export class EventInstallation extends Model<
  InferAttributes<EventInstallation>,
  InferCreationAttributes<EventInstallation>
> {
  declare id: CreationOptional<number>;
  declare uuid: CreationOptional<string>;
}

export const define = (sequelize: Sequelize): typeof EventInstallation =>
  class extends EventInstallation {}.init(
    {
      id: onlyRow(),
      uuid: withDefault(DataTypes.UUID, literal("gen_random_uuid()")),
    },
    {
      sequelize,
      modelName: "EventInstallation",
      tableName: "event_installation",
    },
  );
