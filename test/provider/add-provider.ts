import type { SignedIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";

export interface ProviderRegistration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Further settings of the registration. */
  readonly settings?: object;
}

/** Adds a provider to the site, as an administrator does. @returns its configuration */
export async function addProvider(
  server: Pick<TestServer, "url">,
  admin: Pick<SignedIn, "headers">,
  id: string,
  { issuer, clientId, clientSecret, settings }: ProviderRegistration,
): Promise<Record<string, unknown>> {
  const body = { id, name: `Provider ${id}`, issuer, clientId, clientSecret, ...settings };
  const { headers } = admin;
  const answered = await callRoute(server, "POST /admin/auth/providers", { headers, body });
  if (answered.status !== 201) throw new Error(answered.text);
  return answered.body as Record<string, unknown>;
}
