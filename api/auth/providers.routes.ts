import Joi from "joi";

import {
  idTokenAlgorithms,
  tokenAuthMethods,
} from "../../shared/auth/providers/client-registration.ts";
import {
  changeProvider,
  createProvider,
  deleteProvider,
  type NewProvider,
  type ProviderChange,
} from "../../shared/auth/providers/provider-admin.ts";
import {
  findProvider,
  listOfferedProviders,
  listProviders,
} from "../../shared/auth/providers/providers.ts";
import { imageAddress } from "../../shared/net/image-address.ts";
import { nameText } from "../../shared/visible-text.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { viewProvider, viewProviderConfig } from "./provider-views.ts";

const slug = Joi.string()
  .max(40)
  .pattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .messages({
    "string.pattern.base":
      "{{#label}} must be lower-case letters and digits, with single hyphens between them",
  })
  .description("Lower-case letters, digits and hyphens; part of addresses, and never changed.")
  .example("keycloak");

const byId = Joi.object<{ id: string }, true>({
  id: Joi.string().max(64).required().description("As the list has it."),
});

const fields = {
  name: nameText(64),
  icon: imageAddress({
    schemes: ["https:"],
    takesPaths: true,
    takesNames: true,
    rule: "a name, an https address without a user, or the path of a public picture of the site",
  }).allow(null),
  priority: Joi.number().integer().min(-1000).max(1000),
  enabled: Joi.boolean(),
  issuer: Joi.string()
    .max(2048)
    .description("Exactly as the provider names itself, with or without a slash at the end.")
    .example("https://id.example.org"),
  clientId: Joi.string().max(512),
  clientSecret: Joi.string()
    .max(4096)
    .allow("", null)
    .description("Never shown. Blank keeps the stored one, null takes it away."),
  scopes: Joi.array()
    .example(["email"])
    .items(
      Joi.string()
        .max(256)
        .pattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
        .messages({
          "string.pattern.base":
            "{{#label}} must be one word of ASCII, without quotes and backslashes",
        }),
    )
    .max(20)
    .description("Asked for beside `openid`, at Discord beside `identify`."),
  tokenAuthMethod: Joi.string()
    .valid(...tokenAuthMethods, null)
    .description(
      "How the client is registered to send its secret. Null: as the provider's metadata says, and " +
        "where it lists both, by the header, and once by the form where it refuses that.",
    ),
  idTokenAlgorithm: Joi.string()
    .valid(...idTokenAlgorithms, null)
    .description(
      "By which algorithm alone ID tokens are signed. Null: by any with a key that the provider " +
        "publishes. A client that is registered for `HS256` needs it set: its secret is the key.",
    ),
};

export const providersRoutes = [
  route({
    method: "get",
    path: "/api/v1/auth/providers",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "Where one may sign in",
    keepMs: 0,
    description: "The lowest priority first. What is not set up right is left out.",
    answers: { 200: { listOf: "Provider" } },
    handle: async (_input, context) =>
      (await listOfferedProviders(context)).map((one) => viewProvider(one, context.config)),
  }),
  route({
    method: "get",
    path: "/api/v1/admin/auth/providers",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Every sign-in provider and how it stands",
    answers: { 200: { listOf: "ProviderConfig" } },
    handle: async (_input, context) =>
      (await listProviders(context)).map((provider) =>
        viewProviderConfig(provider, context.config),
      ),
  }),
  route({
    method: "post",
    path: "/api/v1/admin/auth/providers",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Add an OpenID Connect provider",
    description:
      "Its addresses are discovered from the issuer. It is checked at once; one that does not " +
      "answer is added all the same, and its health says what is wrong.",
    confirms: true,
    body: Joi.object<NewProvider>({
      ...fields,
      id: slug.required(),
      name: fields.name.required(),
      issuer: fields.issuer.required(),
      clientId: fields.clientId.required(),
    }),
    answers: { 201: "ProviderConfig", 409: "Error" },
    handle: async ({ body, caller }, context) => {
      const created = await createProvider(body, caller, context);
      return answer(201, viewProviderConfig(created, context.config));
    },
  }),
  route({
    method: "put",
    path: "/api/v1/admin/auth/providers/:id",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Change a sign-in provider",
    description:
      "What is left out stays. The issuer of a built-in provider is fixed. A secret is stored for " +
      "its issuer: with another issuer it is sent again, or taken away by null.",
    confirms: true,
    params: byId,
    body: Joi.object<ProviderChange>(fields),
    answers: { 200: "ProviderConfig", 404: "Error" },
    find: ({ params: { id } }, context) => findProvider(id, context),
    handle: async ({ params: { id }, body, caller }, context) =>
      viewProviderConfig(await changeProvider(id, body, caller, context), context.config),
  }),
  route({
    method: "delete",
    path: "/api/v1/admin/auth/providers/:id",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Delete a sign-in provider",
    description:
      "Accounts there stay linked, and open the users' accounts again when the provider is added " +
      "again under the same id and issuer.",
    params: byId,
    /**
     * @openapi
     * components:
     *   schemas:
     *     DeletedProvider:
     *       type: object
     *       additionalProperties: false
     *       required: [id]
     *       properties:
     *         id: { type: string }
     */
    answers: { 200: "DeletedProvider", 404: "Error", 409: "Error" },
    handle: async ({ params: { id }, caller }, context) => {
      await deleteProvider(id, caller, context);
      return { id };
    },
  }),
];
