import type { Client, QueryConfig } from "pg";

/** A statement that each connection prepares once under this name. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** Statement names by text, because Sequelize passes only the text to a connection. */
const names = new Map<string, string>();

/** Registers the statement and returns its text for Sequelize. Connections of the pool then prepare it. */
export function registerStatement({ name, text }: PreparedStatement): string {
  // Trim the text as Sequelize does.
  const given = text.trim();
  names.set(given, name);
  return given;
}

type Query = (statement: string | QueryConfig, ...others: unknown[]) => unknown;

export function prepareNamed(client: Client): void {
  const query = client.query.bind(client) as Query;
  const queryByName: Query = (statement, ...others) => {
    const name = typeof statement === "string" ? names.get(statement) : undefined;
    return query(name === undefined ? statement : { name, text: statement as string }, ...others);
  };
  client.query = queryByName as typeof client.query;
}
