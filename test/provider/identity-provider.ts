import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { exportJWK, generateKeyPair, type JWK } from "jose";
import { type Configuration, Provider, type SigningAlgorithmWithNone } from "oidc-provider";

import { choicePage } from "./choice-page.ts";
import { MemoryAdapter } from "./memory-adapter.ts";

export interface IdentityProviderOptions {
  /** The redirect URLs that the provider accepts. */
  readonly callbackUrls: readonly string[];
  readonly port?: number;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The algorithm with which ID tokens are signed. By default it is `RS256`. */
  readonly algorithm?: string;
  /** True if the answers of the user endpoint are signed with the algorithm of ID tokens. */
  readonly signsUser?: boolean;
  /**
   * The accounts that the provider's page offers. If undefined, there is no page, and everybody signs in as
   * `signsInAs`.
   */
  readonly accounts?: readonly string[];
}

/** A certified OpenID Connect provider on this machine. Its accounts have no passwords. */
export class IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The account that signs in if there is no page. Null makes the user decline. */
  signsInAs: string | null = "robin";
  /** The number of times that the provider asked the user to choose an account. */
  questions = 0;
  readonly #server: Server;

  private constructor(server: Server, options: StartOptions) {
    const { clientId, clientSecret } = options;
    const { port } = server.address() as AddressInfo;
    this.issuer = `http://localhost:${port}`;
    this.clientId = clientId;
    this.clientSecret = clientSecret;
    this.#server = server;
    const provider = new Provider(this.issuer, configuration(this, options));
    const serve = provider.callback();
    server.on("request", (request, response) => {
      const isInteraction = request.url?.startsWith("/interaction/") === true;
      if (!isInteraction) void serve(request, response);
      else void this.#interact(provider, request, response, options.accounts);
    });
  }

  static async start(options: IdentityProviderOptions): Promise<IdentityProvider> {
    const { clientId = "guildhall", clientSecret = "s".repeat(40) } = options;
    const { algorithm = "RS256" } = options;
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(options.port ?? 0, "127.0.0.1", resolve);
    });
    const signingKey = await newSigningKey(algorithm.startsWith("HS") ? "RS256" : algorithm);
    const started = { ...options, clientId, clientSecret, signingKey, algorithm };
    return new IdentityProvider(server, started);
  }

  async stop(): Promise<void> {
    const stopped = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await stopped;
  }

  /** Signs in the account that the test has set or that the user chose on the page. */
  async #interact(
    provider: Provider,
    request: IncomingMessage,
    response: ServerResponse,
    accounts: readonly string[] | undefined,
  ): Promise<void> {
    this.questions++;
    const { searchParams } = new URL(request.url ?? "", this.issuer);
    const chosen = searchParams.get("account");
    if (accounts && chosen === null) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(choicePage(accounts));
      return;
    }
    const account = accounts ? chosen : this.signsInAs;
    const declined = { error: "access_denied", error_description: "declined" };
    const result = account === null || account === "" ? declined : login(account);
    await provider.interactionFinished(request, response, result);
  }
}

interface StartOptions extends IdentityProviderOptions {
  readonly signingKey: JWK;
  readonly algorithm: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const login = (accountId: string) => ({ login: { accountId } });

async function newSigningKey(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), use: "sig", alg, kid: randomUUID() };
}

function configuration(
  { clientId, clientSecret }: IdentityProvider,
  { callbackUrls, signingKey, algorithm, signsUser = false }: StartOptions,
): Configuration {
  const alg = algorithm as SigningAlgorithmWithNone;
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...callbackUrls],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        token_endpoint_auth_method: "client_secret_basic",
        id_token_signed_response_alg: alg,
        ...(signsUser && { userinfo_signed_response_alg: alg }),
      },
    ],
    pkce: { required: () => true },
    cookies: { keys: ["not a secret"] },
    adapter: MemoryAdapter,
    jwks: { keys: [signingKey] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    enabledJWA: { idTokenSigningAlgValues: [alg], userinfoSigningAlgValues: [alg] },
    features: { devInteractions: { enabled: false }, jwtUserinfo: { enabled: signsUser } },
    claims: { openid: ["sub"], email: ["email"] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.org` }),
    }),
    // Grant the consent without asking the user.
    loadExistingGrant: async ({ oidc: { provider, client, session } }) => {
      const ofClient = client?.clientId ?? "";
      const known = session?.grantIdFor(ofClient);
      if (known !== undefined) return provider.Grant.find(known);
      const grant = new provider.Grant({
        clientId: ofClient,
        accountId: session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email");
      await grant.save();
      return grant;
    },
  };
}
