/**
 * The PostgreSQL type of each attribute of rows that a statement receives as one JSON text. All lists of
 * columns are derived from it, so that no value gets into a wrong column.
 */
export type ColumnTypes = Readonly<Record<string, string>>;

/** SQL such as `json_to_recordset($1) as given ("itemId" integer, …)`. */
export const jsonRowsSql = (parameter: string, columns: ColumnTypes): string =>
  `json_to_recordset(${parameter}) as given (${typedNames(columns)})`;

/** SQL such as `item_id, hue`. */
export const columnNamesSql = (columns: ColumnTypes): string =>
  Object.keys(columns).map(columnName).join(", ");

/** SQL such as `given."itemId", given."hue"`, in the order of `columnNamesSql`. */
export const jsonRowValuesSql = (columns: ColumnTypes): string =>
  Object.keys(columns)
    .map((attribute) => `given."${attribute}"`)
    .join(", ");

/** SQL such as `item_id = given."itemId"`, for an update. */
export const jsonRowAssignmentsSql = (columns: ColumnTypes): string =>
  Object.keys(columns)
    .map((attribute) => `${columnName(attribute)} = given."${attribute}"`)
    .join(", ");

/** SQL such as `item_id = excluded.item_id`, for an upsert. */
export const excludedAssignmentsSql = (columns: ColumnTypes): string =>
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

/** Arrays are passed as text, because pg would spend most of its time on their elements. */

/** An array of JSON texts, which escape quotes and backslashes as PostgreSQL's arrays do. */
export const jsonArraySql = (texts: readonly string[]): string =>
  `{${JSON.stringify(texts).slice(1, -1)}}`;

/** An array of numbers or of alphanumeric words. Other texts would need quotes. */
export const wordArraySql = (words: readonly number[] | readonly string[]): string =>
  `{${words.join()}}`;

export class SqlParams {
  readonly values: unknown[] = [];

  /** Adds a value and returns the parameter for it: `$1`, `$2` and so on. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** Escapes a text so that LIKE matches it literally. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** SQL of the values of an interval that doubles each time. */
interface DoublingInterval {
  readonly first: string;
  readonly longest: string;
  /** Number of earlier intervals. */
  readonly before: string;
}

/** SQL of an interval that doubles each time. The seconds are limited first: intervals can overflow. */
export const doublingIntervalSql = ({ first, longest, before }: DoublingInterval): string =>
  `make_interval(secs => least(${longest}, ${first} * power(2, least(${before}, 30))))`;
