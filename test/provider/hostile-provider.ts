import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";

import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/**
 * The answer of an endpoint. A function writes the answer itself, or leaves the request unanswered.
 */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | ((response: ServerResponse) => void);

export type Endpoint = "metadata" | "jwks" | "token" | "userinfo";

const endpoints: Readonly<Record<string, Endpoint>> = {
  "/.well-known/openid-configuration": "metadata",
  "/jwks": "jwks",
  "/token": "token",
  "/api/v10/oauth2/token": "token",
  "/userinfo": "userinfo",
  "/api/v10/users/@me": "userinfo",
};

type RightAnswer = (path: string) => Fields | Promise<Fields>;
type Fields = Readonly<Record<string, unknown>>;

/** The user id in answers, if the provider acts as Discord. */
export const discordUser = "80351110224678912";

/** Replaces the correct answer `right`. `path` is the requested path. */
type Answer = (right: Fields, path: string) => Reply;

interface Keys {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function newKeys(kid: string): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

/** An ID token before it is signed: its claims, the header fields and the key. */
export interface Token {
  readonly claims: Readonly<Record<string, unknown>>;
  /** The id of the signing key, or undefined if the token names no key. */
  readonly kid?: string;
  readonly alg: string;
  readonly key: CryptoKey | Uint8Array;
}

/** A provider whose answers a test can replace. The other answers are correct. */
export class HostileProvider {
  readonly issuer: string;
  readonly clientId = "guildhall";
  readonly clientSecret = "a secret of the test";
  /** The signing keys that the provider publishes. */
  keys: Keys;
  /** Keys that the provider does not publish, with the key id of the published keys. */
  readonly others: Keys;
  metadata: Answer = (body) => ({ body });
  jwks: Answer = (body) => ({ body });
  token: Answer = (body) => ({ body });
  userinfo: Answer = (body) => ({ body });
  /** Changes or replaces an ID token before it is signed. */
  idToken: (right: Token) => unknown = (token) => token;
  readonly asked: string[] = [];
  /** The last form that the token endpoint got, and its Authorization header. */
  lastForm: { readonly fields: Fields; readonly authorization: string | undefined } | undefined;
  /** The nonce of the sign-in that is in progress. */
  #nonce = "";
  readonly #server: Server;

  private constructor(server: Server, keys: Keys, others: Keys) {
    this.#server = server;
    this.keys = keys;
    this.others = others;
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<HostileProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new HostileProvider(server, await newKeys("one"), await newKeys("one"));
  }

  async stop(): Promise<void> {
    const stopped = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await stopped;
  }

  /** Makes all answers correct again. */
  behave(): void {
    this.metadata = (body) => ({ body });
    this.jwks = (body) => ({ body });
    this.token = (body) => ({ body });
    this.userinfo = (body) => ({ body });
    this.idToken = (token) => token;
  }

  /** Replaces the keys by new ones with a new id. */
  async rotate(): Promise<void> {
    this.keys = await newKeys(`key-${Math.random()}`);
  }

  /**
   * Returns the URL with which the provider redirects the browser back to the site.
   * @param result query parameters in addition to the state, by default a code
   */
  comeBack(
    location: string,
    result: Readonly<Record<string, string>> = { code: "a code" },
  ): string {
    const { searchParams } = new URL(location);
    this.#nonce = searchParams.get("nonce") ?? "";
    const callback = new URL(searchParams.get("redirect_uri") ?? "");
    for (const [name, value] of Object.entries(result)) callback.searchParams.set(name, value);
    callback.searchParams.set("state", searchParams.get("state") ?? "");
    return callback.pathname + callback.search;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", this.issuer);
    this.asked.push(pathname);
    const sent = await readText(request);
    if (request.method === "POST") {
      const fields = Object.fromEntries(new URLSearchParams(sent));
      this.lastForm = { fields, authorization: request.headers.authorization };
    }
    const reply = await this.#replyTo(pathname);
    if (typeof reply === "function") {
      reply(response);
      return;
    }
    const { status = 200, headers = {}, body } = reply;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }

  async #replyTo(pathname: string): Promise<Reply> {
    const endpoint = endpoints[pathname.replace(/^\/elsewhere/, "")];
    if (endpoint === undefined) return { status: 404, body: {} };
    const right = await this.#rightAnswers[endpoint](pathname);
    // Tests redirect the site's requests to paths below this one, and all answers there are correct.
    if (pathname.startsWith("/elsewhere/")) return { body: right };
    return this[endpoint](right, pathname);
  }

  readonly #rightAnswers: Readonly<Record<Endpoint, RightAnswer>> = {
    metadata: () => this.#metadata(),
    jwks: () => ({ keys: [this.keys.jwk] }),
    token: async () => ({
      access_token: "an-access-token",
      token_type: "Bearer",
      expires_in: 60,
      id_token: await this.#idToken(),
    }),
    userinfo: (path) => (path.endsWith("/users/@me") ? { id: discordUser } : { sub: "robin" }),
  };

  #metadata(): Record<string, unknown> {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/auth`,
      token_endpoint: `${this.issuer}/token`,
      userinfo_endpoint: `${this.issuer}/userinfo`,
      jwks_uri: `${this.issuer}/jwks`,
    };
  }

  async #idToken(): Promise<unknown> {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: this.clientId,
      sub: "robin",
      nonce: this.#nonce,
      iat: now,
      exp: now + 60,
    };
    const { jwk, privateKey: key } = this.keys;
    const wanted = this.idToken({ claims, kid: jwk.kid ?? "", alg: "RS256", key });
    return isToken(wanted) ? signToken(wanted) : wanted;
  }
}

export const signToken = ({ claims, kid, alg, key }: Token): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .sign(key);

const isToken = (value: unknown): value is Token =>
  typeof value === "object" && value !== null && "claims" in value;

/** Returns an ID token without a signature. */
export const buildUnsignedToken = ({ claims }: Token): string =>
  [{ alg: "none" }, claims].map((part) => base64url(JSON.stringify(part))).join(".") + ".";

const base64url = (text: string): string => Buffer.from(text).toString("base64url");
