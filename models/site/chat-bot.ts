import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type Sequelize,
} from "sequelize";

import { singleRowKey, optional, withDefault } from "../columns.ts";
import type { ModelReference } from "../reference.ts";

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

export const references: readonly ModelReference[] = [
  { owner: "User", as: "updater", foreignKey: "updatedBy", onDelete: "SET NULL" },
];

export const define = (sequelize: Sequelize): typeof ChatBot =>
  class extends ChatBot {}.init(
    {
      id: singleRowKey(),
      enabled: withDefault(DataTypes.BOOLEAN, false),
      guildId: optional(DataTypes.TEXT),
      announceChannelId: optional(DataTypes.TEXT),
      tokenSealed: optional(DataTypes.TEXT),
      updatedAt: optional(DataTypes.DATE),
      updatedBy: optional(DataTypes.INTEGER),
    },
    { sequelize, modelName: "ChatBot", tableName: "chat_bot" },
  );
