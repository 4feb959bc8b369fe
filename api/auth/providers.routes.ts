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
import { imageAddressField } from "../../shared/platform/net/image-address.ts";
import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { viewProvider, viewProviderConfig } from "./provider-views.ts";

const slug = Joi.string()
  .max(40)
  .pattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .messages({
    "string.pattern.base":
      "{{#label}} must be lower-case letters and digits, with single hyphens between them",
  })
  .description(
    "Lowercase letters, digits and single hyphens. The id is part of URLs and cannot be changed.",
  )
  .example("keycloak");

const byId = Joi.object<{ id: string }, true>({
  id: Joi.string().max(64).required().description("Id of the provider."),
});

const fields = {
  name: nameTextField(64),
  icon: imageAddressField({
    schemes: ["https:"],
    takesPaths: true,
    takesNames: true,
    rule: "a name, an https address without a user name, or the path of a public picture of the site",
  }).allow(null),
  priority: Joi.number()
    .integer()
    .min(-1000)
    .max(1000)
    .description("Providers with a lower value are offered first."),
  enabled: Joi.boolean().description("Whether users can sign in at the provider."),
  issuer: Joi.string()
    .max(2048)
    .description(
      "Issuer URL, exactly as `issuer` in the provider's metadata, including a trailing slash if " +
        "the metadata has one.",
    )
    .example("https://id.example.org"),
  clientId: Joi.string().max(512),
  clientSecret: Joi.string()
    .max(4096)
    .allow("", null)
    .description(
      "Client secret, which is never returned. An empty string keeps the stored secret, and null " +
        "removes it.",
    ),
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
    .description(
      "Scopes to request in addition to `openid` (at Discord, in addition to `identify`).",
    ),
  tokenAuthMethod: Joi.string()
    .valid(...tokenAuthMethods, null)
    .description(
      "How the service sends the client secret, as registered at the provider. If null, the " +
        "provider's metadata determines the method. If the metadata lists both methods, the " +
        "service tries `client_secret_basic` first, and `client_secret_post` if the provider " +
        "refuses the first method.",
    ),
  idTokenAlgorithm: Joi.string()
    .valid(...idTokenAlgorithms, null)
    .description(
      "The only accepted signing algorithm of ID tokens. If null, every algorithm for which the " +
        "provider publishes a key is accepted. To use `HS256`, `HS384` or `HS512`, whose key is " +
        "the client secret, set the algorithm explicitly.",
    ),
};

export const providersRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/auth/providers",
    gate: "public",
    set: "core",
    tag: "Auth",
    summary: "List the sign-in providers",
    keepMs: 0,
    description:
      "Returns the providers at which users can sign in, lowest `priority` first. Does not " +
      "return disabled or incompletely configured providers. The list also contains providers " +
      "that cannot be reached at the moment.",
    answers: { 200: { listOf: "Provider" } },
    handle: async (_input, context) =>
      (await listOfferedProviders(context)).map((one) => viewProvider(one, context.config)),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/admin/auth/providers",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "List all sign-in providers",
    description:
      "Returns all providers, including disabled ones, with the result of the last health check. " +
      "Client secrets are never returned.",
    answers: { 200: { listOf: "ProviderConfig" } },
    handle: async (_input, context) =>
      (await listProviders(context)).map((provider) =>
        viewProviderConfig(provider, context.config),
      ),
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/admin/auth/providers",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Add an OpenID Connect provider",
    description:
      "The service discovers the endpoints from the issuer and checks the provider immediately. " +
      "The provider is created even if the check fails; in this case, `health` says what is " +
      "wrong. The provider is enabled unless `enabled` is false. 400 `validation_failed` if the " +
      "issuer is not an allowed URL; 409 `provider_exists` if another provider has this id.",
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
      return createAnswer(201, viewProviderConfig(created, context.config));
    },
  }),
  defineRoute({
    method: "put",
    path: "/api/v1/admin/auth/providers/:id",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Change a sign-in provider",
    description:
      "Absent fields keep their values. After the change, the service checks the provider again. " +
      "400 `validation_failed` if the request changes the issuer of a built-in provider, changes " +
      "the issuer without `clientSecret` (send the secret again, or null to remove it), or " +
      "enables a provider that has no `clientId`.",
    confirms: true,
    params: byId,
    body: Joi.object<ProviderChange>(fields),
    answers: { 200: "ProviderConfig", 404: "Error" },
    find: ({ params: { id } }, context) => findProvider(id, context),
    handle: async ({ params: { id }, body, caller }, context) =>
      viewProviderConfig(await changeProvider(id, body, caller, context), context.config),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/admin/auth/providers/:id",
    gate: "roles:admin",
    set: "core",
    tag: "Users",
    summary: "Delete a sign-in provider",
    description:
      "Users can no longer sign in at the provider. Linked accounts are kept and work again if a " +
      "provider with the same id and issuer is added. 409 `provider_built_in` for a built-in " +
      "provider: disable it instead.",
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
