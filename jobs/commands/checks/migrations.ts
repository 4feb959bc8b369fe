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
      `the database is of a newer version, it has ${newer.join(", ")}`,
      "deploy that version here, or take the newer migrations back from there",
    );
  },
};
