import Joi from "joi";

import { changeUser, type UserChange } from "../../shared/auth/administration/change-user.ts";
import {
  createAccount,
  deleteAccount,
  type NewAccount,
  revokeSessions,
} from "../../shared/auth/administration/user-admin.ts";
import { roles } from "../../shared/auth/caller/roles.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import {
  readUserRecord,
  searchUsers,
  type UserSearch,
} from "../../shared/auth/users/user-records.ts";
import { limits } from "../../shared/limits.ts";
import { chosenName, chosenPassword, typedUsername } from "../auth/fields.ts";
import { findUser } from "../auth/find-user.ts";
import { answer } from "../http/answer.ts";
import { clientOf } from "../http/client.ts";
import { passwordText } from "../http/credential-fields.ts";
import { byId, limitField, offsetField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { viewUser } from "./views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Users" } as const;
const role = Joi.string().valid(...roles);

export const usersRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/users",
    summary: "Search users",
    query: Joi.object<UserSearch>({
      // A form sends its empty fields along: they ask for nothing.
      q: Joi.string()
        .trim()
        .empty("")
        .max(254)
        .description("Part of the name or the e-mail address."),
      role: role.empty("").description("Only those of a role."),
      limit: limitField(limits.userPage),
      offset: offsetField,
    }),
    answers: { 200: "UserPage" },
    handle: async ({ query }, context) => {
      const { users, total } = await searchUsers(query, context);
      return { users: users.map(viewUser), total };
    },
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id",
    summary: "One user",
    params: byId,
    answers: { 200: "User", 404: "Error" },
    handle: async ({ params: { id } }, context) => viewUser(await readUserRecord(id, context)),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/users",
    summary: "Create a user",
    description: "Without a password the user sets one by a reset link.",
    confirms: true,
    body: Joi.object<NewAccount>({
      username: typedUsername.required().meta(chosenName),
      email: emailField(),
      role: role.required(),
      password: passwordText.meta(chosenPassword),
    }),
    answers: { 201: "User", 409: "Error" },
    handle: async ({ body, caller, request }, context) => {
      const id = await createAccount(body, caller, clientOf(request, context), context);
      return answer(201, viewUser(await readUserRecord(id, context)));
    },
  }),
  route({
    ...common,
    method: "patch",
    path: "/api/v1/admin/users/:id",
    summary: "Change role, e-mail address or whether the user may sign in",
    description:
      "Losing rights or being disabled ends the user's sessions. The last administrator stays one. " +
      "403 for the caller's own e-mail address: that is changed at `/auth/me/account/email`.",
    confirms: true,
    params: byId,
    body: Joi.object<UserChange>({
      role,
      disabled: Joi.boolean().description("Whether signing in is refused."),
      email: emailField().allow(null),
    }).example({ role: "moderator", disabled: false }),
    answers: { 200: "User", 404: "Error", 409: "Error" },
    find: findUser,
    handle: async ({ params: { id }, body, caller }, context) => {
      await changeUser(id, body, caller, context);
      return viewUser(await readUserRecord(id, context));
    },
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     DeletedId:
   *       type: object
   *       required: [id]
   *       properties:
   *         id: { type: integer }
   */
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/users/:id",
    summary: "Delete a user for good",
    description: "The activity log keeps the id. The last administrator cannot be deleted.",
    confirms: true,
    params: byId,
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: findUser,
    handle: async ({ params: { id }, caller }, context) => {
      await deleteAccount(id, caller, context);
      return { id };
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/users/:id/sessions/revoke",
    summary: "Sign a user out everywhere",
    params: byId,
    answers: { 200: "RevokedCount", 404: "Error" },
    find: findUser,
    handle: async ({ params: { id }, caller }, context) => ({
      revoked: await revokeSessions(id, caller, context),
    }),
  }),
];
