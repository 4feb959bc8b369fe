import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

/** One of a user's codes for the day the second factor is lost. */
export interface RecoveryCode extends Model<
  InferAttributes<RecoveryCode>,
  InferCreationAttributes<RecoveryCode>
> {
  id: CreationOptional<number>;
  userId: number;
  /** The code's first two characters, by which its row is found. */
  slot: string;
  codeHash: string;
  createdAt: CreationOptional<Date>;
  usedAt: CreationOptional<Date | null>;
}

export const defineRecoveryCode = (sequelize: Sequelize): ModelStatic<RecoveryCode> =>
  sequelize.define<RecoveryCode>(
    "RecoveryCode",
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      userId: { type: DataTypes.INTEGER, allowNull: false },
      slot: { type: DataTypes.TEXT, allowNull: false },
      codeHash: { type: DataTypes.TEXT, allowNull: false },
      createdAt: DataTypes.DATE,
      usedAt: DataTypes.DATE,
    },
    { tableName: "recovery_codes" },
  );
