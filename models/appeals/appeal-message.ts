import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  Model,
  type NonAttribute,
  type Sequelize,
} from "sequelize";

import type { ModelAssociation } from "../association.ts";
import type { User } from "../auth/user.ts";
import {
  identityColumn,
  optionalColumn,
  requiredColumn,
  transactionTimeColumn,
  withDefault,
} from "../columns.ts";

/** A message of an appeal; an internal one is a note for staff. */
export class AppealMessage extends Model<
  InferAttributes<AppealMessage>,
  InferCreationAttributes<AppealMessage>
> {
  declare id: CreationOptional<number>;
  declare appealId: number;
  declare author: "player" | "staff";
  declare authorId: number | null;
  declare body: string;
  declare internal: CreationOptional<boolean>;
  declare createdAt: CreationOptional<Date>;
  declare writer?: NonAttribute<User | null>;
}

export const associations: readonly ModelAssociation[] = [
  { owner: "User", as: "writer", foreignKey: "authorId", onDelete: "SET NULL" },
  { owner: "Appeal", as: "appeal", foreignKey: "appealId", onDelete: "CASCADE" },
];

export const defineModel = (sequelize: Sequelize): typeof AppealMessage =>
  class extends AppealMessage {}.init(
    {
      id: identityColumn(DataTypes.INTEGER),
      appealId: requiredColumn(DataTypes.INTEGER),
      author: requiredColumn(DataTypes.TEXT),
      authorId: optionalColumn(DataTypes.INTEGER),
      body: requiredColumn(DataTypes.TEXT),
      internal: withDefault(DataTypes.BOOLEAN, false),
      createdAt: transactionTimeColumn(),
    },
    {
      sequelize,
      modelName: "AppealMessage",
      tableName: "appeal_messages",
      scopes: {
        /** Messages that the owner of the appeal may read. */
        toOwner: { where: { internal: false } },
      },
    },
  );
