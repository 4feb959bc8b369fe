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

/** Arrays as texts that PostgreSQL reads: the library looks at each element, which is most of its work. */

/**
 * An array of JSON texts. What JSON escapes in a text of JSON are quotes and backslashes alone, and
 * PostgreSQL takes those the same way.
 * @param texts each of `JSON.stringify`
 */
export const jsonArray = (texts: readonly string[]): string =>
  `{${JSON.stringify(texts).slice(1, -1)}}`;

/** An array of numbers, or of words of letters and digits alone: anything else would need quotes. */
export const wordArray = (words: readonly number[] | readonly string[]): string =>
  `{${words.join()}}`;

/** The values of a statement that is put together from parts, in the order of their parameters. */
export class SqlParams {
  readonly values: unknown[] = [];

  /** @returns the value's parameter: `$1` and on */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

/** A text as a LIKE pattern that stands for itself alone, whatever signs of LIKE are in it. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Where the numbers of a time that doubles stand in a statement: parameters or expressions. */
interface DoublingTime {
  /** Seconds of the first one. */
  readonly first: string;
  /** Seconds that none exceeds. */
  readonly longest: string;
  /** How many came before it. */
  readonly before: string;
}

/** SQL of an interval that is twice as long each time. It is bounded before it is one: intervals overflow. */
export const doublingTime = ({ first, longest, before }: DoublingTime): string =>
  `make_interval(secs => least(${longest}, ${first} * power(2, least(${before}, 30))))`;
