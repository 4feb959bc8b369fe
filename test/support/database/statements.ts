import { AsyncLocalStorage } from "node:async_hooks";

import type { Sequelize } from "sequelize";
import { vi } from "vitest";

import { isAnswering } from "../../../api/http/database-door.ts";

/**
 * The texts of the statements that `work` asks by itself or has a request ask, in their order. What the
 * process does on its own meanwhile, as often as time passes, is not among them.
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
    if (working.getStore() || isAnswering()) {
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
