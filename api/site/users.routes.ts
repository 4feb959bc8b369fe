import Joi from "joi";

import {
  changeUser,
  type UserChange,
  createAccount,
  type NewAccount,
  revokeSessions,
} from "../../shared/auth/administration/user-admin.ts";
import { emailField } from "../../shared/auth/rules/emails.ts";
import {
  readUserRecord,
  searchUsers,
  type UserSearch,
} from "../../shared/auth/users/user-records.ts";
import { deleteAccount } from "../../shared/own-data/delete-account.ts";
import { roles } from "../../shared/platform/access/roles.ts";
import { limits } from "../../shared/platform/limits.ts";
import { newUsernameMeta, newPasswordMeta, usernameField } from "../auth/fields.ts";
import { findUser } from "../auth/find-user.ts";
import { createAnswer } from "../http/answer.ts";
import { readSignInClient } from "../http/client.ts";
import { enteredPasswordField } from "../http/credential-fields.ts";
import { rowIdParams, limitField, offsetField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { viewUser } from "./views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Users" } as const;
const role = Joi.string().valid(...roles);

export const usersRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users",
    summary: "Search users",
    description:
      "Returns one page of the matching users, sorted by username. If `q` and `role` are absent, " +
      "all users match.",
    query: Joi.object<UserSearch>({
      // HTML forms send empty fields, which mean "no filter".
      q: Joi.string()
        .trim()
        .empty("")
        .max(254)
        .description("Part of the username or e-mail address. Case is ignored."),
      role: role.empty("").description("Returns only users with this role."),
      limit: limitField(limits.userPage),
      offset: offsetField,
    }),
    answers: { 200: "UserPage" },
    handle: async ({ query }, context) => {
      const { users, total } = await searchUsers(query, context);
      return { users: users.map(viewUser), total };
    },
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/users/:id",
    summary: "Retrieve a user",
    description: "Returns the user. 404 `not_found` if the user does not exist or was deleted.",
    params: rowIdParams,
    answers: { 200: "User", 404: "Error" },
    handle: async ({ params: { id } }, context) => viewUser(await readUserRecord(id, context)),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/users",
    summary: "Create a user",
    description:
      "Creates an account with any role. No mail is sent. If `password` is absent, the user sets " +
      "a password with a reset link (`POST /auth/password/forgot`), for which the account must " +
      "have an e-mail address. 400 `validation_failed` if the username or password breaks a " +
      "rule. 409 `name_taken` if the username is in use, is reserved or is too similar to a " +
      "staff member's username.",
    confirms: true,
    body: Joi.object<NewAccount>({
      username: usernameField.required().meta(newUsernameMeta),
      email: emailField(),
      role: role.required(),
      password: enteredPasswordField.meta(newPasswordMeta),
    }),
    answers: { 201: "User", 409: "Error" },
    handle: async ({ body, caller, request }, context) => {
      const id = await createAccount(body, caller, readSignInClient(request, context), context);
      return createAnswer(201, viewUser(await readUserRecord(id, context)));
    },
  }),
  defineRoute({
    ...common,
    method: "patch",
    path: "/api/v1/admin/users/:id",
    summary: "Change a user",
    description:
      "Fields that the request does not contain keep their values. If the user is disabled or " +
      "receives a role with fewer rights, the user's sessions and event streams end, and the API " +
      "tokens and open invitations that the user created are revoked. Disabling also removes the " +
      "user's trusted browsers and reset links. Enabling the user again restores no sessions, " +
      "tokens, invitations, browsers or links. If the e-mail address changes, reset links stop " +
      "working and the service sends a notification to the former e-mail address. 403 " +
      "`own_account` for the caller's own e-mail address: use `PATCH /auth/me/account/email`. " +
      "409 `last_admin` if the change would leave the site without an administrator.",
    confirms: true,
    params: rowIdParams,
    body: Joi.object<UserChange>({
      role,
      disabled: Joi.boolean().description("Whether the user is disabled and cannot sign in."),
      email: emailField()
        .allow(null)
        .description("New e-mail address of the user. Null removes it."),
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
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/users/:id",
    summary: "Delete a user",
    description:
      "Deletes the account and its data immediately and permanently. The sessions, API tokens " +
      "and event streams of the account end. The shard unlinks the game accounts shortly " +
      "afterwards. In the activity log, the user id remains; the entry about the deletion also " +
      "contains the username and the role. 409 `last_admin` if the user is the last " +
      "administrator.",
    confirms: true,
    params: rowIdParams,
    answers: { 200: "DeletedId", 404: "Error", 409: "Error" },
    find: findUser,
    handle: async ({ params: { id }, caller }, context) => {
      await deleteAccount(id, caller, context);
      return { id };
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/users/:id/sessions/revoke",
    summary: "Sign out a user everywhere",
    description:
      "Ends all web and device sessions of the user, with their event streams. Trusted browsers " +
      "stay trusted.",
    params: rowIdParams,
    answers: { 200: "RevokedCount", 404: "Error" },
    find: findUser,
    handle: async ({ params: { id }, caller }, context) => ({
      revoked: await revokeSessions(id, caller, context),
    }),
  }),
];
