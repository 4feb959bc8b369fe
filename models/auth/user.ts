import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  type Sequelize,
} from "sequelize";

export interface User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  id: CreationOptional<number>;
  username: string;
  /** What user names are compared by: NFKC and lower case. */
  usernameKey: string;
  email: CreationOptional<string | null>;
  /** What addresses are compared by: lower case. Several users may share one. */
  emailKey: CreationOptional<string | null>;
  role: "admin" | "editor" | "moderator" | "player";
  passwordHash: CreationOptional<string | null>;
  /** The pepper in the hash; null when none was configured. */
  pepperId: CreationOptional<string | null>;
  totpSecretSealed: CreationOptional<string | null>;
  totpEnabled: CreationOptional<boolean>;
  totpFailCount: CreationOptional<number>;
  totpLockedUntil: CreationOptional<Date | null>;
  /** Whole epoch seconds: tokens issued at or before it are dead. */
  tokensValidAfter: CreationOptional<number>;
  disabledAt: CreationOptional<Date | null>;
  createdAt: CreationOptional<Date>;
  updatedAt: CreationOptional<Date>;
}

export const defineUser = (sequelize: Sequelize): ModelStatic<User> =>
  sequelize.define<User>(
    "User",
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      username: { type: DataTypes.TEXT, allowNull: false },
      usernameKey: { type: DataTypes.TEXT, allowNull: false },
      email: DataTypes.TEXT,
      emailKey: DataTypes.TEXT,
      role: { type: DataTypes.TEXT, allowNull: false },
      passwordHash: DataTypes.TEXT,
      pepperId: DataTypes.TEXT,
      totpSecretSealed: DataTypes.TEXT,
      totpEnabled: DataTypes.BOOLEAN,
      totpFailCount: DataTypes.INTEGER,
      totpLockedUntil: DataTypes.DATE,
      tokensValidAfter: DataTypes.BIGINT,
      disabledAt: DataTypes.DATE,
      createdAt: DataTypes.DATE,
      updatedAt: DataTypes.DATE,
    },
    { tableName: "users" },
  );
