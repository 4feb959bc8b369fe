import type { AuthProvider, TokenAuthMethod } from "../../../models/auth/auth-provider.ts";
import type { Config } from "../../platform/config/config.ts";
import { checkOutboundUrl, OutboundError } from "../../platform/net/outbound.ts";
import { tokenAuthMethods } from "./client-registration.ts";
import {
  type JsonFields,
  outboundRules,
  type ProviderRequestContext,
  requestOkJson,
  ProviderFailure,
} from "./provider-request.ts";

/** The endpoints of a provider, and the provider's properties that a sign-in needs. */
export interface Endpoints {
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Null if the provider has none. */
  readonly userUrl: string | null;
  /** Null if the provider publishes no keys. */
  readonly keysUrl: string | null;
  /** Client authentication methods that the provider lists, the default of the standard first. */
  readonly authMethods: readonly TokenAuthMethod[];
  /** Null if the endpoints are fixed. */
  readonly metadata: JsonFields | null;
  /** True if the provider sends its issuer with the callback (RFC 9207). */
  readonly namesIssuer: boolean;
  /** Scopes that every sign-in requests in addition to `openid`. */
  readonly scopes: readonly string[];
  /** The prompt that makes the provider ask for the account, even if it remembers one. */
  readonly linkPrompt: "login" | "select_account" | "consent";
}

/** Returns the issuer under which a provider's identities are stored. */
export function issuerOf(
  { id, builtin, issuer }: Pick<AuthProvider, "id" | "builtin" | "issuer">,
  { DISCORD_BASE_URL, GOOGLE_ISSUER }: Config,
): string {
  if (!builtin) return issuer ?? "";
  return id === "google" ? GOOGLE_ISSUER : DISCORD_BASE_URL;
}

/** Reads the endpoints each time, so that they are never stale. @throws {ProviderFailure} */
export async function readEndpoints(
  provider: Pick<AuthProvider, "id" | "kind" | "builtin" | "issuer">,
  line: ProviderRequestContext,
): Promise<Endpoints> {
  const issuer = issuerOf(provider, line.config);
  if (provider.kind === "oauth2") return discordEndpoints(issuer);
  // Google refuses the prompt `login`. Other providers may refuse `select_account`.
  const linkPrompt = provider.builtin ? "select_account" : "login";
  return { ...(await discover(issuer, line)), linkPrompt };
}

const discordEndpoints = (base: string): Endpoints => ({
  issuer: base,
  authorizationUrl: `${base}/oauth2/authorize`,
  tokenUrl: `${base}/api/v10/oauth2/token`,
  userUrl: `${base}/api/v10/users/@me`,
  keysUrl: null,
  authMethods: ["client_secret_post"],
  metadata: null,
  namesIssuer: false,
  // Without this scope the user endpoint returns no data.
  scopes: ["identify"],
  // Discord knows only this prompt. Its consent page names the account.
  linkPrompt: "consent",
});

async function discover(
  issuer: string,
  line: ProviderRequestContext,
): Promise<Omit<Endpoints, "linkPrompt">> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const metadata = await requestOkJson({ url }, line);
  if (metadata["issuer"] !== issuer) {
    throw new ProviderFailure("wrong_issuer", "the provider names another issuer in its metadata");
  }
  const readUrl = (name: string) => readEndpointUrl(metadata, name, line.config);
  return {
    issuer,
    authorizationUrl: readUrl("authorization_endpoint"),
    tokenUrl: readUrl("token_endpoint"),
    userUrl: metadata["userinfo_endpoint"] === undefined ? null : readUrl("userinfo_endpoint"),
    keysUrl: metadata["jwks_uri"] === undefined ? null : readUrl("jwks_uri"),
    authMethods: listedMethods(metadata["token_endpoint_auth_methods_supported"]),
    metadata,
    namesIssuer: metadata["authorization_response_iss_parameter_supported"] === true,
    scopes: [],
  };
}

function readEndpointUrl(metadata: JsonFields, name: string, config: Config): string {
  const url = metadata[name];
  try {
    if (typeof url !== "string") throw new OutboundError("the address is missing");
    checkOutboundUrl(url, outboundRules(config));
    return url;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new ProviderFailure("unreachable", `${name} of the metadata: ${error.message}`, error);
  }
}

/** Without a list, the default is `client_secret_basic` (OpenID Connect Discovery 1.0 §3). */
const listedMethods = (listed: unknown): readonly TokenAuthMethod[] =>
  Array.isArray(listed)
    ? tokenAuthMethods.filter((method) => listed.includes(method))
    : tokenAuthMethods;
