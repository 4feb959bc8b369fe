import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

/** A browser that skips the second factor of one user for a while. */
export interface TrustedDevice extends Model<
  InferAttributes<TrustedDevice>,
  InferCreationAttributes<TrustedDevice>
> {
  id: CreationOptional<number>;
  userId: number;
  /** SHA-256 of the token in the browser's cookie. */
  tokenHash: Buffer;
  label: string;
  createdAt: CreationOptional<Date>;
  lastUsedAt: CreationOptional<Date>;
  expiresAt: Date;
}

export const defineTrustedDevice = (sequelize: Sequelize): ModelStatic<TrustedDevice> =>
  sequelize.define<TrustedDevice>(
    "TrustedDevice",
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      userId: { type: DataTypes.INTEGER, allowNull: false },
      tokenHash: { type: DataTypes.BLOB, allowNull: false },
      label: { type: DataTypes.TEXT, allowNull: false },
      createdAt: DataTypes.DATE,
      lastUsedAt: DataTypes.DATE,
      expiresAt: { type: DataTypes.DATE, allowNull: false },
    },
    { tableName: "trusted_devices" },
  );
