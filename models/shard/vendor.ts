import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

/** A player vendor. Serials are numbers in the market's tables. */
export interface Vendor extends Model<InferAttributes<Vendor>, InferCreationAttributes<Vendor>> {
  serial: number;
  /** What its last upsert said, in 128 bits: one that says the same changes nothing. */
  fingerprint: string;
  /** False for hidden vendors, of which the fingerprint alone is kept. */
  listed: boolean;
  shopName: string | null;
  ownerSerial: number | null;
  ownerName: string | null;
  placeId: number | null;
  map: string | null;
  region: string | null;
  x: number | null;
  y: number | null;
  z: number | null;
  house: string | null;
  /** Listings published. */
  count: number;
  /** Listings held. */
  total: number;
  updatedAt: Date;
}

export const defineVendor = (sequelize: Sequelize): ModelStatic<Vendor> =>
  sequelize.define<Vendor>(
    "Vendor",
    {
      serial: { type: DataTypes.INTEGER, primaryKey: true },
      fingerprint: { type: DataTypes.UUID, allowNull: false },
      listed: { type: DataTypes.BOOLEAN, allowNull: false },
      shopName: DataTypes.TEXT,
      ownerSerial: DataTypes.INTEGER,
      ownerName: DataTypes.TEXT,
      placeId: DataTypes.INTEGER,
      map: DataTypes.TEXT,
      region: DataTypes.TEXT,
      x: DataTypes.INTEGER,
      y: DataTypes.INTEGER,
      z: DataTypes.INTEGER,
      house: DataTypes.TEXT,
      count: { type: DataTypes.INTEGER, allowNull: false },
      total: { type: DataTypes.INTEGER, allowNull: false },
      updatedAt: { type: DataTypes.DATE, allowNull: false },
    },
    { tableName: "vendors" },
  );
