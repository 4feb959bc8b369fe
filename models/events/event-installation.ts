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

/** Tells this database from one made anew: keys that a game server remembers begin with it. */
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
