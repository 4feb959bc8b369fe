/**
 * The columns of rows that a statement is given as one JSON text: each attribute of the model, and
 * the PostgreSQL type of its column. Whatever names the columns is made from it, so that no value
 * can reach another's column.
 */
export type ColumnTypes = Readonly<Record<string, string>>;

/** SQL of the rows in the parameter: `json_to_recordset($1) as given ("itemId" integer, …)`. */
export const rowsGivenAs = (parameter: string, columns: ColumnTypes): string =>
  `json_to_recordset(${parameter}) as given (${typedNames(columns)})`;

/** SQL of the table's columns: `item_id, hue`. */
export const columnNames = (columns: ColumnTypes): string =>
  Object.keys(columns).map(columnName).join(", ");

/** SQL of the given values, in the same order: `given."itemId", given."hue"`. */
export const givenValues = (columns: ColumnTypes): string =>
  Object.keys(columns)
    .map((attribute) => `given."${attribute}"`)
    .join(", ");

/** SQL of the assignments of an update from the given rows: `item_id = given."itemId"`. */
export const givenAssignments = (columns: ColumnTypes): string =>
  Object.keys(columns)
    .map((attribute) => `${columnName(attribute)} = given."${attribute}"`)
    .join(", ");

/** SQL of the assignments of an upsert: `item_id = excluded.item_id`. */
export const excludedAssignments = (columns: ColumnTypes): string =>
  Object.keys(columns)
    .map(columnName)
    .map((column) => `${column} = excluded.${column}`)
    .join(", ");

const typedNames = (columns: ColumnTypes): string =>
  Object.entries(columns)
    .map(([attribute, type]) => `"${attribute}" ${type}`)
    .join(", ");

const columnName = (attribute: string): string =>
  attribute.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
