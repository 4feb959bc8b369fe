import { QueryTypes } from "sequelize";

import { type Check, fault, ok } from "./check.ts";

/** Whether somebody can administer the site. */
export const firstAdminCheck: Check = {
  name: "first admin",
  async run({ sequelize }) {
    const admins = await sequelize.query<{ username: string }>(
      `select username from users
       where role = 'admin' and disabled_at is null and password_hash is not null order by id`,
      { type: QueryTypes.SELECT },
    );
    if (admins.length > 0) return ok(admins.map(({ username }) => username).join(", "));
    return fault("nobody is an administrator", "npm run user -- add NAME --role admin");
  },
};
