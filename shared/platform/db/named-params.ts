import type { PreparedStatement } from "./named-statements.ts";

/** A prepared statement whose SQL names its parameters. */
export interface NamedStatement<Values extends object> extends PreparedStatement {
  /** Returns the values in the order of the parameters, without those that the SQL does not name. */
  valuesOf(this: void, values: Values): unknown[];
}

/** A parameter such as `:source`; not the second colon of a cast, and not `:SS` of a time format. */
const parameter = /(?<!:):([a-z]\w*)/g;

/**
 * Replaces the named parameters of a statement, such as `:source`, with `$1`, `$2` and so on.
 * @param name under which each connection prepares the statement
 */
export function numberParams<Values extends object>(
  name: string,
  sql: string,
): NamedStatement<Values> {
  const names: string[] = [];
  const text = sql.replaceAll(parameter, (_whole, found: string) => {
    if (!names.includes(found)) names.push(found);
    return `$${names.indexOf(found) + 1}`;
  });
  const valueIn = (values: Values) => (found: string) => {
    if (found in values) return values[found as keyof Values];
    throw new Error(`the statement ${name} has no value for the parameter :${found}`);
  };
  return { name, text, valuesOf: (values) => names.map(valueIn(values)) };
}
