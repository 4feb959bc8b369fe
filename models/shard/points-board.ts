import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

export interface PointsBoard extends Model<
  InferAttributes<PointsBoard>,
  InferCreationAttributes<PointsBoard>
> {
  /** The shard's points-type name, the stable key. */
  system: string;
  /** The last payload of the board. */
  state: Record<string, unknown>;
  t: number;
  updatedAt: CreationOptional<Date>;
}

export const definePointsBoard = (sequelize: Sequelize): ModelStatic<PointsBoard> =>
  sequelize.define<PointsBoard>(
    "PointsBoard",
    {
      system: { type: DataTypes.TEXT, primaryKey: true },
      state: { type: DataTypes.JSONB, allowNull: false },
      t: { type: DataTypes.BIGINT, allowNull: false },
      updatedAt: DataTypes.DATE,
    },
    { tableName: "points_boards" },
  );
