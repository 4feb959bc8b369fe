import { DataTypes, literal, type ModelAttributeColumnOptions } from "sequelize";

// Each column is an object of its own: Sequelize writes the column's name into what it is given.

type ColumnType = ModelAttributeColumnOptions["type"];

/** A column of the primary key whose value comes with the row. */
export const key = (type: ColumnType) => ({ type, primaryKey: true, allowNull: false });

/** A primary key that the database counts up. */
export const identity = (type: ColumnType) => ({
  type,
  primaryKey: true,
  autoIncrement: true,
  allowNull: false,
});

export const required = (type: ColumnType) => ({ type, allowNull: false });

export const optional = (type: ColumnType) => ({ type, allowNull: true });

export const withDefault = (type: ColumnType, defaultValue: unknown) => ({
  type,
  allowNull: false,
  defaultValue,
});

/** No two rows share a value. */
export const unique = <Column extends object>(column: Column) => ({ ...column, unique: true });

/** When the transaction began that made the row. */
export const transactionTime = () => withDefault(DataTypes.DATE, literal("now()"));

/** When the row was made, to the clock: rows of one transaction are told apart. */
export const clockTime = () => withDefault(DataTypes.DATE, literal("clock_timestamp()"));

/** A column that the database computes from others of its row; nobody may write it. */
export const generated = (type: ColumnType, { allowNull = false } = {}) => ({
  type,
  allowNull,
  set: refuseToSet,
});

export function refuseToSet(): never {
  throw new Error("the database computes this column");
}

/** The primary key of a table that holds one row. */
export const onlyRow = () => ({ ...withDefault(DataTypes.SMALLINT, 1), primaryKey: true });
