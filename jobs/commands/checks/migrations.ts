import { readSchemaState } from "../../../shared/ops/schema.ts";
import { type Check, fault, ok } from "./check.ts";

export const migrationsCheck: Check = {
  name: "migrations",
  async run({ sequelize }) {
    const { applied, pending, newer } = await readSchemaState(sequelize);
    if (pending.length > 0) {
      return fault(`${pending.length} pending: ${pending.join(", ")}`, "npm run migrate");
    }
    if (newer.length === 0) return ok(`${applied.length} applied, none pending`);
    return fault(
      `the database has migrations of a newer version: ${newer.join(", ")}`,
      "deploy that version here, or undo the newer migrations with that version",
    );
  },
};
