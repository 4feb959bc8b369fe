import {
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

/** One thing for sale. Serials are numbers in the market's tables. */
export interface Listing extends Model<InferAttributes<Listing>, InferCreationAttributes<Listing>> {
  vendorSerial: number;
  serial: number;
  /** What its last upsert said of it, in 128 bits. */
  digest: string;
  /** Art id. */
  itemId: number;
  hue: number;
  amount: number;
  price: number;
  /** What it is called by, in `listing_labels`. */
  labelId: number;
  /** Where its vendor stands. */
  placeId: number | null;
  /** Priced by the container it lies in. */
  child: boolean;
  /** When it was put up or last changed. */
  updatedAt: Date;
  /** Its name as searches compare it; null while no cliloc table names it. */
  searchName: string | null;
}

export const defineListing = (sequelize: Sequelize): ModelStatic<Listing> =>
  sequelize.define<Listing>(
    "Listing",
    {
      vendorSerial: { type: DataTypes.INTEGER, primaryKey: true },
      serial: { type: DataTypes.INTEGER, primaryKey: true },
      digest: { type: DataTypes.UUID, allowNull: false },
      itemId: { type: DataTypes.INTEGER, allowNull: false },
      hue: { type: DataTypes.INTEGER, allowNull: false },
      amount: { type: DataTypes.INTEGER, allowNull: false },
      price: { type: DataTypes.INTEGER, allowNull: false },
      labelId: { type: DataTypes.INTEGER, allowNull: false },
      placeId: DataTypes.INTEGER,
      child: { type: DataTypes.BOOLEAN, allowNull: false },
      updatedAt: { type: DataTypes.DATE, allowNull: false },
      searchName: DataTypes.TEXT,
    },
    { tableName: "listings" },
  );
