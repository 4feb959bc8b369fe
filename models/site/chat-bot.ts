import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import { singleRowKey, optionalColumn, withDefault } from "../columns.ts";

/** Configuration of the community's chat bot. A single row. */
export class ChatBot extends Model<InferAttributes<ChatBot>, InferCreationAttributes<ChatBot>> {
  declare id: CreationOptional<number>;
  declare enabled: CreationOptional<boolean>;
  declare guildId: string | null;
  declare announceChannelId: string | null;
  declare tokenSealed: string | null;
  declare updatedAt: Date | null;
  declare updatedBy: number | null;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "updater", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const defineModel = (sequelize: Sequelize): typeof ChatBot =>
  class extends ChatBot {}.init(
    {
      id: singleRowKey(),
      enabled: withDefault(DataTypes.BOOLEAN, false),
      guildId: optionalColumn(DataTypes.TEXT),
      announceChannelId: optionalColumn(DataTypes.TEXT),
      tokenSealed: optionalColumn(DataTypes.TEXT),
      updatedAt: optionalColumn(DataTypes.DATE),
      updatedBy: optionalColumn(DataTypes.INTEGER),
    },
    { sequelize, modelName: "ChatBot", tableName: "chat_bot" },
  );
