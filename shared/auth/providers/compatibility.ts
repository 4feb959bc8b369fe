import type { IdTokenAlgorithm, TokenAuthMethod } from "../../../models/auth/auth-provider.ts";
import type { Fields } from "./ask-provider.ts";
import { acceptedAlgorithms, tokenAuthMethods } from "./client-registration.ts";

/** What the site's client is registered as, as far as the metadata of a provider bears on it. */
export interface Registration {
  readonly tokenAuthMethod: TokenAuthMethod | null;
  readonly idTokenAlgorithm: IdTokenAlgorithm | null;
  readonly hasSecret: boolean;
}

/** A list of the metadata (OpenID Connect Discovery 1.0 §3) and what a sign-in needs one of. */
interface Need {
  readonly field: string;
  readonly oneOf: (registration: Registration) => readonly string[];
}

/** CATALOGUE of what every sign-in needs; a list that a provider leaves out rules nothing out. */
const needs: readonly Need[] = [
  { field: "response_types_supported", oneOf: () => ["code"] },
  { field: "response_modes_supported", oneOf: () => ["query"] },
  { field: "grant_types_supported", oneOf: () => ["authorization_code"] },
  { field: "code_challenge_methods_supported", oneOf: () => ["S256"] },
  { field: "token_endpoint_auth_methods_supported", oneOf: neededMethods },
  {
    field: "id_token_signing_alg_values_supported",
    oneOf: ({ idTokenAlgorithm }) => acceptedAlgorithms(idTokenAlgorithm),
  },
];

/** CATALOGUE of what a provider may demand and no sign-in of the site does. */
const demands = ["require_pushed_authorization_requests", "require_signed_request_object"] as const;

/** Providers that take public clients often do not list `none`. */
function neededMethods({ hasSecret, tokenAuthMethod }: Registration): readonly string[] {
  if (!hasSecret) return [];
  return tokenAuthMethod === null ? tokenAuthMethods : [tokenAuthMethod];
}

/** @returns why no sign-in can succeed, by the provider's own metadata; null where nothing speaks against it */
export function incompatibilityOf(metadata: Fields, registration: Registration): string | null {
  const demanded = demands.find((field) => metadata[field] === true);
  if (demanded !== undefined) return `the provider demands ${demanded}, which the site does not do`;
  for (const { field, oneOf } of needs) {
    const [listed, needed] = [metadata[field], oneOf(registration)];
    const isOpen = !Array.isArray(listed) || needed.length === 0;
    if (isOpen || needed.some((name) => listed.includes(name))) continue;
    return `${field} of the metadata is ${namesIn(listed)}: the site needs ${needed.join(", ")}`;
  }
  return null;
}

/** Lists of providers are of no length that one could count on. */
const mostNames = 10;

const namesIn = (listed: readonly unknown[]): string => {
  const names = listed.filter((name) => typeof name === "string" && /^[\w. -]{1,64}$/.test(name));
  return names.length === 0 ? "empty" : names.slice(0, mostNames).join(", ");
};
