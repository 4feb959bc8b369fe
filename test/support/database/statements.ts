import { AsyncLocalStorage } from "node:async_hooks";

import type { Sequelize } from "sequelize";
import { vi } from "vitest";

import { isHandlingRequest } from "../../../api/http/database-outage.ts";

/**
 * Returns the statements that `work` and its requests execute, in order. Statements of background
 * tasks are left out.
 */
export async function statementsOf(
  { sequelize }: { readonly sequelize: Sequelize },
  work: () => Promise<unknown>,
): Promise<string[]> {
  const working = new AsyncLocalStorage<true>();
  const statements: string[] = [];
  const query = sequelize.query.bind(sequelize) as (...given: unknown[]) => Promise<never>;
  const asked = vi.spyOn(sequelize, "query").mockImplementation((...given: unknown[]) => {
    const [text] = given;
    if (working.getStore() || isHandlingRequest()) {
      statements.push(typeof text === "string" ? text : (text as { query: string }).query);
    }
    return query(...given);
  });
  try {
    await working.run(true, work);
  } finally {
    asked.mockRestore();
  }
  return statements;
}
