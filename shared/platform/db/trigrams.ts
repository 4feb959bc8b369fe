import type { Sequelize } from "sequelize";

import { messageOf } from "../errors/errors.ts";
import { rows } from "./rows.ts";

/** The host lacks what the searches need, or forbids making it. */
class TrigramsRefused extends Error {
  constructor(cause: unknown) {
    super(
      `the searches need PostgreSQL's extension pg_trgm, and this database refuses it ` +
        `(${messageOf(cause)}): have its administrator run "create extension pg_trgm" in it, or ` +
        "install postgresql-contrib where the server lacks it",
      { cause },
    );
    this.name = "TrigramsRefused";
  }
}

/**
 * Makes the extension that the migrations rely on, before any of them runs. The owner of a database
 * may do so by themselves: PostgreSQL trusts the extension.
 * @throws {TrigramsRefused} with what to do
 */
export async function ensureTrigrams(sequelize: Sequelize): Promise<void> {
  try {
    await rows(sequelize, "create extension if not exists pg_trgm");
  } catch (error) {
    throw new TrigramsRefused(error);
  }
}
