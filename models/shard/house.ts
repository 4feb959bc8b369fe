import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

export interface House extends Model<InferAttributes<House>, InferCreationAttributes<House>> {
  serial: string;
  stage: string;
  map: string | null;
  x: number | null;
  y: number | null;
  z: number | null;
  region: string | null;
  name: string | null;
  ownerSerial: string | null;
  ownerAccount: string | null;
  ownerAccountKey: string | null;
  builtOn: Date | null;
  lastRefreshed: Date | null;
  /** What staff alone read: price, co-owners, decay. */
  detail: Record<string, unknown>;
  updatedAt: CreationOptional<Date>;
}

export const defineHouse = (sequelize: Sequelize): ModelStatic<House> =>
  sequelize.define<House>(
    "House",
    {
      serial: { type: DataTypes.TEXT, primaryKey: true },
      stage: { type: DataTypes.TEXT, allowNull: false },
      map: DataTypes.TEXT,
      x: DataTypes.INTEGER,
      y: DataTypes.INTEGER,
      z: DataTypes.INTEGER,
      region: DataTypes.TEXT,
      name: DataTypes.TEXT,
      ownerSerial: DataTypes.TEXT,
      ownerAccount: DataTypes.TEXT,
      ownerAccountKey: DataTypes.TEXT,
      builtOn: DataTypes.DATE,
      lastRefreshed: DataTypes.DATE,
      detail: { type: DataTypes.JSONB, allowNull: false },
      updatedAt: DataTypes.DATE,
    },
    { tableName: "houses" },
  );
