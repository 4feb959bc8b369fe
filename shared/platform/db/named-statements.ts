import type { Client, QueryConfig } from "pg";

/** A statement that is prepared once a connection, under a name of its own. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** The names of the pool's statements by their texts: Sequelize hands a connection the text alone. */
const names = new Map<string, string>();

/** @returns the text for Sequelize, which connections of the pool know by its name from then on */
export function textOfNamed({ name, text }: PreparedStatement): string {
  // As Sequelize hands it on.
  const given = text.trim();
  names.set(given, name);
  return given;
}

type Query = (statement: string | QueryConfig, ...others: unknown[]) => unknown;

/** Has a client prepare each text that has a name. */
export function prepareNamed(client: Client): void {
  const query = client.query.bind(client) as Query;
  const queryByName: Query = (statement, ...others) => {
    const name = typeof statement === "string" ? names.get(statement) : undefined;
    return query(name === undefined ? statement : { name, text: statement as string }, ...others);
  };
  client.query = queryByName as typeof client.query;
}
