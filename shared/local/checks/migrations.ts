import { readdirSync } from "node:fs";
import path from "node:path";

import { QueryTypes, type Sequelize } from "sequelize";

import { projectFolder } from "../script.ts";
import { type Check, fault, ok } from "./check.ts";

/** Whether the schema is that of this version. */
export const migrationsCheck: Check = {
  name: "migrations",
  async run({ sequelize }) {
    const [own, applied] = [namesOnDisk(), await namesApplied(sequelize)];
    const pending = own.filter((name) => !applied.includes(name));
    if (pending.length > 0) {
      return fault(`${pending.length} pending: ${pending.join(", ")}`, "npm run migrate");
    }
    const newer = applied.filter((name) => !own.includes(name));
    if (newer.length === 0) return ok(`${own.length} applied, none pending`);
    return fault(
      `the database is of a newer version, it has ${newer.join(", ")}`,
      "deploy that version here, or take the newer migrations back from there",
    );
  },
};

const namesOnDisk = (): string[] =>
  readdirSync(path.join(projectFolder, "migrations"))
    .filter((file) => /^\d{4}-.*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ""))
    .toSorted();

async function namesApplied(sequelize: Sequelize): Promise<string[]> {
  const [{ there } = { there: false }] = await sequelize.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
    { type: QueryTypes.SELECT },
  );
  if (!there) return [];
  const rows = await sequelize.query<{ name: string }>("select name from migrations", {
    type: QueryTypes.SELECT,
  });
  return rows.map(({ name }) => name);
}
