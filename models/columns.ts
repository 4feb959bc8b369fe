import { DataTypes, literal, type ModelAttributeColumnOptions } from "sequelize";

// Each function returns a new object, because Sequelize writes the name of the column into it.

type ColumnType = ModelAttributeColumnOptions["type"];

/** A primary key with a value from the caller. */
export const primaryKeyColumn = (type: ColumnType) => ({
  type,
  primaryKey: true,
  allowNull: false,
});

/** A primary key with a value from a sequence. */
export const identityColumn = (type: ColumnType) => ({
  type,
  primaryKey: true,
  autoIncrement: true,
  allowNull: false,
});

export const requiredColumn = (type: ColumnType) => ({ type, allowNull: false });

export const optionalColumn = (type: ColumnType) => ({ type, allowNull: true });

export const withDefault = (type: ColumnType, defaultValue: unknown) => ({
  type,
  allowNull: false,
  defaultValue,
});

export const uniqueColumn = <Column extends object>(column: Column) => ({
  ...column,
  unique: true,
});

/** Time column, by default the start of the transaction. */
export const transactionTimeColumn = () => withDefault(DataTypes.DATE, literal("now()"));

/** Time column, by default the time of the insertion: rows of one transaction differ. */
export const clockTimeColumn = () => withDefault(DataTypes.DATE, literal("clock_timestamp()"));

/** A column that the database computes from others; writing it fails. */
export const generatedColumn = (type: ColumnType, { allowNull = false } = {}) => ({
  type,
  allowNull,
  set: refuseColumnWrite,
});

export function refuseColumnWrite(): never {
  throw new Error("the database computes this column");
}

/** The primary key of a table with a single row. */
export const singleRowKey = () => ({ ...withDefault(DataTypes.SMALLINT, 1), primaryKey: true });
