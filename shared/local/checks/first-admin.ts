import { readAdminNames } from "../../auth/admin-set.ts";
import { type Check, fault, ok } from "./check.ts";

/** Whether somebody can administer the site. */
export const firstAdminCheck: Check = {
  name: "first admin",
  async run({ sequelize }) {
    const names = await readAdminNames(sequelize);
    if (names.length > 0) return ok(names.join(", "));
    return fault("nobody is an administrator", "npm run user -- add NAME --role admin");
  },
};
