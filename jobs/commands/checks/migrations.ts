import { readSchemaState } from "../../../shared/ops/schema.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

export const migrationsCheck: DoctorCheck = {
  name: "migrations",
  async run({ sequelize }) {
    const { applied, pending, newer } = await readSchemaState(sequelize);
    if (pending.length > 0) {
      return faultResult(`${pending.length} pending: ${pending.join(", ")}`, "npm run migrate");
    }
    if (newer.length === 0) return okResult(`${applied.length} applied, none pending`);
    return faultResult(
      `the database has migrations of a newer version: ${newer.join(", ")}`,
      "deploy that version here, or undo the newer migrations with that version",
    );
  },
};
