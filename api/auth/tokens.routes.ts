import Joi from "joi";

import {
  createToken,
  listTokens,
  type NewToken,
  revokeToken,
  tokenRoles,
} from "../../shared/auth/tokens/api-tokens.ts";
import { nameText } from "../../shared/visible-text.ts";
import { answer } from "../http/answer.ts";
import { byId, timeField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { scopes } from "../http/scopes.ts";
import { viewMadeToken, viewToken } from "./token-views.ts";

const common = { gate: "roles:admin", set: "additive", tag: "Users" } as const;

/** Tokens by which programs call the API; they borrow nobody's session. */
export const tokensRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/tokens",
    summary: "API tokens for bots",
    description: "The newest first; those that have expired stand here until they are revoked.",
    answers: { 200: { enveloped: "tokens", shape: { listOf: "ApiToken" } } },
    handle: async (_input, context) => ({ tokens: (await listTokens(context)).map(viewToken) }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/tokens",
    summary: "Make an API token",
    description:
      "The secret is shown this once. The token has the rung and the gates of its role, cut to its " +
      "scopes. It ends when it expires, when it is revoked, and with the administrator's role of " +
      "whoever made it.",
    confirms: true,
    body: Joi.object<NewToken>({
      name: nameText(64)
        .pattern(/^[^\p{C}]+$/u)
        .required()
        .description("What lists and the log call it.")
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
        .description("Each operation names the scope that opens it.")
        .example(["shard:read", "shard-staff:write"]),
      expiresAt: timeField.allow(null).description("Without it the token lives until revoked."),
    }),
    answers: { 201: "MadeApiToken", 409: "Error" },
    handle: async ({ body, caller }, context) =>
      answer(201, viewMadeToken(await createToken(body, caller, context))),
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/admin/tokens/:id",
    summary: "Revoke an API token",
    params: byId,
    answers: { 200: "DeletedId", 404: "Error" },
    handle: async ({ params: { id }, caller }, context) => {
      await revokeToken(id, caller, context);
      return { id };
    },
  }),
];
