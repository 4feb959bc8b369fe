import { defineModels } from "../../../models/index.ts";
import { readAdminNames } from "../../../shared/auth/administration/admin-set.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

export const firstAdminCheck: DoctorCheck = {
  name: "first admin",
  async run({ sequelize }) {
    const names = await readAdminNames({ models: defineModels(sequelize) });
    if (names.length > 0) return okResult(names.join(", "));
    return faultResult("no user is an administrator", "npm run user -- add NAME --role admin");
  },
};
