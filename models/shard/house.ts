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
  /** The last payload of the house as it is; the columns below are made from it. */
  state: Record<string, unknown>;
  t: number;
  readonly stage: CreationOptional<string>;
  readonly ownerAccountKey: CreationOptional<string | null>;
  updatedAt: CreationOptional<Date>;
}

export const defineHouse = (sequelize: Sequelize): ModelStatic<House> =>
  sequelize.define<House>(
    "House",
    {
      serial: { type: DataTypes.TEXT, primaryKey: true },
      state: { type: DataTypes.JSONB, allowNull: false },
      t: { type: DataTypes.BIGINT, allowNull: false },
      stage: DataTypes.TEXT,
      ownerAccountKey: DataTypes.TEXT,
      updatedAt: DataTypes.DATE,
    },
    { tableName: "houses" },
  );
