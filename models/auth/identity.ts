import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

/** A user's account at a sign-in provider: issuer and subject name it there. */
export interface Identity extends Model<
  InferAttributes<Identity>,
  InferCreationAttributes<Identity>
> {
  id: CreationOptional<number>;
  userId: number;
  providerId: string;
  /** The provider's name when the identity was linked. */
  providerName: string;
  issuer: string;
  subject: string;
  linkedAt: CreationOptional<Date>;
}

export const defineIdentity = (sequelize: Sequelize): ModelStatic<Identity> =>
  sequelize.define<Identity>(
    "Identity",
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      userId: { type: DataTypes.INTEGER, allowNull: false },
      providerId: { type: DataTypes.TEXT, allowNull: false },
      providerName: { type: DataTypes.TEXT, allowNull: false },
      issuer: { type: DataTypes.TEXT, allowNull: false },
      subject: { type: DataTypes.TEXT, allowNull: false },
      linkedAt: DataTypes.DATE,
    },
    { tableName: "identities" },
  );
