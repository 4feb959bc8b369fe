import Joi from "joi";

import {
  createToken,
  listTokens,
  type NewToken,
  revokeToken,
  tokenRoles,
} from "../../shared/auth/administration/api-tokens.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams, timeField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { scopes } from "../http/scopes.ts";
import { viewCreatedToken, viewToken } from "./token-views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Users" } as const;

/** Routes for API tokens, with which programs call the API without a user's session. */
export const tokensRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/tokens",
    summary: "List the API tokens",
    description:
      "Returns the tokens, newest first. Expired tokens are listed until they are revoked. " +
      "Revoked tokens are not listed.",
    answers: { 200: { enveloped: "tokens", shape: { listOf: "ApiToken" } } },
    handle: async (_input, context) => ({ tokens: (await listTokens(context)).map(viewToken) }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/tokens",
    summary: "Create an API token",
    description:
      "Returns the token's secret, which is shown only once. The token has the rights of its " +
      "role, limited to its scopes. The token cannot call operations that are only for " +
      "administrators, that concern the caller's own account or that require a confirmation. The " +
      "token stops working when it expires or is revoked, and when the administrator who created " +
      "it loses the role or is disabled. The token stays valid when that administrator changes " +
      "their own password. 400 `validation_failed` if `expiresAt` is not in the future; 409 " +
      "`token_limit_reached` if there are 20 valid tokens.",
    confirms: true,
    body: Joi.object<NewToken>({
      name: nameTextField(64)
        .pattern(/^[^\p{C}]+$/u)
        .required()
        .description("Name of the token in lists and in the activity log.")
        .example("Town crier")
        .messages({ "string.pattern.base": "{{#label}} must be plain text" }),
      role: Joi.string()
        .valid(...tokenRoles)
        .required(),
      scopes: Joi.array()
        .items(Joi.string().valid(...scopes))
        .min(1)
        .unique()
        .required()
        .description(
          "Scopes of the operations that the token may call. Each operation names its scope in " +
            "`x-token-scope`.",
        )
        .example(["shard:read", "shard-staff:write"]),
      expiresAt: timeField
        .allow(null)
        .description(
          "Time at which the token expires, in the future. If absent or null, the token does not " +
            "expire.",
        ),
    }),
    answers: { 201: "MadeApiToken", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      createAnswer(201, viewCreatedToken(await createToken(body, caller, context))),
  }),
  defineRoute({
    ...common,
    method: "delete",
    path: "/api/v1/admin/tokens/:id",
    summary: "Revoke an API token",
    description:
      "The token stops working immediately, and its event streams end. 404 `not_found` if the " +
      "token is unknown or already revoked.",
    params: rowIdParams,
    answers: { 200: "DeletedId", 404: "Error" },
    handle: async ({ params: { id }, caller }, context) => {
      await revokeToken(id, caller, context);
      return { id };
    },
  }),
];
