import type { Client, QueryConfig } from "pg";

/** A statement that each connection prepares once under this name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** Statement names by text, because Sequelize passes only the text to a connection. */
const registeredNames = new Map<string, string>();

/**
 * Registers the statement and returns its text. Connections of the pool then prepare it, unless a transaction pooler
 * is in use.
 */
export function registerStatement({ name, text }: PreparedStatement): string {
  // Trim the text as Sequelize does.
  const given = text.trim();
  registeredNames.set(given, name);
  return given;
}

type Query = (statement: string | QueryConfig, ...others: unknown[]) => unknown;

export function prepareNamedStatements(client: Client): void {
  const query = client.query.bind(client) as Query;
  const queryByName: Query = (statement, ...others) => {
    const config = typeof statement === "string" ? { text: statement } : statement;
    const name = registeredNames.get(config.text);
    return query(name === undefined ? statement : { ...config, name }, ...others);
  };
  client.query = queryByName as typeof client.query;
}

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
export function createNamedStatement<Values extends object>(
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
