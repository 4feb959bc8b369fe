import type { Client, ClientConfig, QueryConfig } from "pg";

import { clientWith } from "../db/connection/client.ts";
import type { Patience } from "../db/connection/session-settings.ts";

type Query = (statement: string | QueryConfig, ...others: unknown[]) => unknown;

/** How pg-boss begins the statements by which it takes jobs and asks which queues have any. */
const isRepeated = (statement: unknown): statement is string =>
  typeof statement === "string" && /^\s*with\s+(?:next|due)\s+as\b/i.test(statement);

/** The names of the repeated statements by their texts: a few for each queue. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `take ${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * A class of clients for a process that works jobs. Each worker of a queue sends the same statement every few
 * seconds, and PostgreSQL needs longer to plan it than to run it, so each connection prepares it once.
 */
export const workerClientWith = (patience: Patience): typeof Client =>
  class extends clientWith(patience) {
    constructor(config?: string | ClientConfig) {
      super(config);
      const query = this.query.bind(this) as Query;
      const queryByName: Query = (statement, ...others) =>
        query(
          isRepeated(statement) ? { name: nameOf(statement), text: statement } : statement,
          ...others,
        );
      this.query = queryByName as typeof this.query;
    }
  };
