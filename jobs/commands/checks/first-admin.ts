import { defineModels } from "../../../models/index.ts";
import { readAdminNames } from "../../../shared/auth/administration/admin-set.ts";
import { type Check, fault, ok } from "./check.ts";

export const firstAdminCheck: Check = {
  name: "first admin",
  async run({ sequelize }) {
    const names = await readAdminNames({ models: defineModels(sequelize) });
    if (names.length > 0) return ok(names.join(", "));
    return fault("no user is an administrator", "npm run user -- add NAME --role admin");
  },
};
