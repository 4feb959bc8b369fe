import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

export interface BoardRank {
  readonly rank: number;
  readonly serial: string;
  readonly name: string;
  readonly points: number;
}

export interface PointsBoard extends Model<
  InferAttributes<PointsBoard>,
  InferCreationAttributes<PointsBoard>
> {
  /** The shard's points-type name, the stable key. */
  system: string;
  nameString: string | null;
  nameNumber: number | null;
  maxPoints: number | null;
  players: number | null;
  showOnGump: boolean;
  top: BoardRank[];
  t: number | null;
  updatedAt: CreationOptional<Date>;
}

export const definePointsBoard = (sequelize: Sequelize): ModelStatic<PointsBoard> =>
  sequelize.define<PointsBoard>(
    "PointsBoard",
    {
      system: { type: DataTypes.TEXT, primaryKey: true },
      nameString: DataTypes.TEXT,
      nameNumber: DataTypes.INTEGER,
      maxPoints: DataTypes.BIGINT,
      players: DataTypes.INTEGER,
      showOnGump: { type: DataTypes.BOOLEAN, allowNull: false },
      top: { type: DataTypes.JSONB, allowNull: false },
      t: DataTypes.BIGINT,
      updatedAt: DataTypes.DATE,
    },
    { tableName: "points_boards" },
  );
