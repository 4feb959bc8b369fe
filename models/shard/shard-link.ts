import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

/** The local mirror of one link between a game account and a user; the shard holds the truth. */
export interface ShardLink extends Model<
  InferAttributes<ShardLink>,
  InferCreationAttributes<ShardLink>
> {
  /** What accounts are compared by: lower case. */
  accountKey: string;
  account: string;
  userId: number;
  linkedAt: Date;
  updatedAt: CreationOptional<Date>;
}

export const defineShardLink = (sequelize: Sequelize): ModelStatic<ShardLink> =>
  sequelize.define<ShardLink>(
    "ShardLink",
    {
      accountKey: { type: DataTypes.TEXT, primaryKey: true },
      account: { type: DataTypes.TEXT, allowNull: false },
      userId: { type: DataTypes.INTEGER, allowNull: false },
      linkedAt: { type: DataTypes.DATE, allowNull: false },
      updatedAt: DataTypes.DATE,
    },
    { tableName: "shard_links" },
  );
