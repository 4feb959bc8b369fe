import type { AuthProvider } from "../../models/auth/auth-provider.ts";
import { issuerOf } from "../../shared/auth/providers/endpoints.ts";
import { callbackUrlOf } from "../../shared/auth/providers/provider-client.ts";
import { computeProviderHealth } from "../../shared/auth/providers/providers.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import { type ImageRules, findAllowedIcon } from "../../shared/platform/net/image-address.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     Provider:
 *       type: object
 *       additionalProperties: false
 *       required: [id, name, icon, loginUrl, priority]
 *       properties:
 *         id: { type: string, example: discord }
 *         name: { type: string, example: Discord }
 *         icon: { type: string, nullable: true, description: 'Name of an icon, or the URL or path of an image.' }
 *         loginUrl:
 *           type: string
 *           description: >-
 *             Path that starts a sign-in at the provider: open it in a browser. The query parameter
 *             `returnTo` of this path is the path on the site to which the browser returns after
 *             the sign-in.
 *           example: /api/v1/auth/sso/discord/start
 *         priority: { type: integer, description: Providers with a lower value are offered first. }
 */
export const viewProvider = ({ id, name, icon, priority }: AuthProvider, images: ImageRules) => ({
  id,
  name,
  icon: findAllowedIcon(icon, images),
  loginUrl: `/api/v1/auth/sso/${id}/start`,
  priority,
});

/**
 * @openapi
 * components:
 *   schemas:
 *     ProviderConfig:
 *       type: object
 *       additionalProperties: false
 *       required:
 *         - id
 *         - name
 *         - icon
 *         - loginUrl
 *         - priority
 *         - enabled
 *         - builtin
 *         - kind
 *         - issuer
 *         - clientId
 *         - hasSecret
 *         - scopes
 *         - tokenAuthMethod
 *         - idTokenAlgorithm
 *         - callbackUrl
 *         - health
 *       properties:
 *         id: { type: string }
 *         name: { type: string }
 *         icon: { type: string, nullable: true }
 *         loginUrl: { type: string }
 *         priority: { type: integer }
 *         enabled: { type: boolean }
 *         builtin: { type: boolean, description: Whether the provider is built into the service. A built-in provider has a fixed issuer and cannot be deleted. }
 *         kind: { type: string, enum: [oidc, oauth2] }
 *         issuer: { type: string, example: 'https://id.example.org' }
 *         clientId: { type: string, nullable: true }
 *         hasSecret: { type: boolean, description: Whether a client secret is stored. The secret itself is never returned. }
 *         scopes: { type: array, items: { type: string }, example: [email] }
 *         tokenAuthMethod:
 *           type: string
 *           nullable: true
 *           enum: [client_secret_basic, client_secret_post, null]
 *           description: >-
 *             How the service sends the client secret to the provider. If null, the provider's
 *             metadata determines the method.
 *         idTokenAlgorithm:
 *           type: string
 *           nullable: true
 *           enum: [RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519, HS256, HS384, HS512, null]
 *           description: >-
 *             The only accepted signing algorithm of ID tokens. If null, every algorithm for which
 *             the provider publishes a key is accepted.
 *         callbackUrl:
 *           type: string
 *           description: Redirect URL. Register exactly this URL at the provider.
 *           example: 'https://example.org/api/v1/auth/sso/discord/callback'
 *         health: { $ref: '#/components/schemas/ProviderHealth' }
 *     ProviderHealth:
 *       type: object
 *       additionalProperties: false
 *       required: [status, checkedAt, detail]
 *       properties:
 *         status:
 *           type: string
 *           enum: [ok, unreachable, wrong_issuer, bad_secret, unsupported, misconfigured, disabled]
 *           description: >-
 *             State of the provider. `unreachable`: the provider cannot be reached, or was not
 *             checked yet. `unsupported`: sign-in does not work with the provider's metadata or
 *             keys. `misconfigured`: the client id is missing, the stored secret cannot be
 *             decrypted, or the signing algorithm requires a secret and none is stored.
 *         checkedAt: { type: string, format: date-time, nullable: true, description: Time of the last check of the provider. Null before the first check. }
 *         detail: { type: string, nullable: true, description: 'Description of the problem, for people.' }
 */
export const viewProviderConfig = (provider: AuthProvider, config: Config) => ({
  ...viewProvider(provider, config),
  enabled: provider.enabled,
  builtin: provider.builtin,
  kind: provider.kind,
  issuer: issuerOf(provider, config),
  clientId: provider.clientId,
  hasSecret: provider.clientSecretSealed !== null,
  scopes: provider.scopes,
  tokenAuthMethod: provider.tokenAuthMethod,
  idTokenAlgorithm: provider.idTokenAlgorithm,
  callbackUrl: callbackUrlOf(provider.id, config),
  health: computeProviderHealth(provider, config),
});
