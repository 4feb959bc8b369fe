import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** What is answered to one question; a function writes the answer itself, or never does. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | ((response: ServerResponse) => void);

interface Keys {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

async function newKeys(kid: string): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

/** The claims of an ID token, and how it is written. */
interface Token {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly kid: string;
  readonly key: CryptoKey;
}

/** A provider that does whatever a test wants of each answer, and otherwise as it should. */
export class HostileProvider {
  readonly issuer: string;
  readonly clientId = "guildhall";
  readonly clientSecret = "a secret of the test";
  /** Signs keys that the provider publishes. */
  keys: Keys;
  /** Keys of somebody else, under the same name. */
  readonly others: Keys;
  metadata: (right: Record<string, unknown>) => Reply = (body) => ({ body });
  jwks: (right: { keys: JWK[] }) => Reply = (body) => ({ body });
  token: (right: Record<string, unknown>) => Reply = (body) => ({ body });
  userinfo: (right: Record<string, unknown>) => Reply = (body) => ({ body });
  /** Changes the ID token before it is signed, or puts something else in its place. */
  idToken: (right: Token) => unknown = (token) => token;
  readonly asked: string[] = [];
  /** The nonce of the sign-in that is under way, as the browser brought it. */
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

  /** As it should be, until a test says otherwise. */
  behave(): void {
    this.metadata = (body) => ({ body });
    this.jwks = (body) => ({ body });
    this.token = (body) => ({ body });
    this.userinfo = (body) => ({ body });
    this.idToken = (token) => token;
  }

  /** Another set of keys from now on, of another name. */
  async rotate(): Promise<void> {
    this.keys = await newKeys(`key-${Math.random()}`);
  }

  /** What the browser is sent back with: the provider's page would do this. */
  comeBack(location: string): string {
    const { searchParams } = new URL(location);
    this.#nonce = searchParams.get("nonce") ?? "";
    const callback = new URL(searchParams.get("redirect_uri") ?? "");
    callback.searchParams.set("code", "a code");
    callback.searchParams.set("state", searchParams.get("state") ?? "");
    return callback.pathname + callback.search;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "", this.issuer);
    this.asked.push(pathname);
    request.resume();
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
    if (pathname === "/.well-known/openid-configuration") return this.metadata(this.#metadata());
    if (pathname === "/jwks") return this.jwks({ keys: [this.keys.jwk] });
    if (["/userinfo", "/api/v10/users/@me"].includes(pathname)) {
      return this.userinfo({ sub: "robin" });
    }
    if (!["/token", "/api/v10/oauth2/token"].includes(pathname)) return { status: 404, body: {} };
    const tokens = { access_token: "an-access-token", token_type: "Bearer", expires_in: 60 };
    return this.token({ ...tokens, id_token: await this.#idToken() });
  }

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
    const right = { claims, kid: "", key: this.keys.privateKey };
    const wanted = this.idToken({ ...right, kid: this.keys.jwk.kid ?? "" });
    if (!isToken(wanted)) return wanted;
    const { kid, key } = wanted;
    return new SignJWT({ ...wanted.claims }).setProtectedHeader({ alg: "RS256", kid }).sign(key);
  }
}

const isToken = (value: unknown): value is Token =>
  typeof value === "object" && value !== null && "claims" in value;

/** An ID token that nobody signed. */
export const unsigned = ({ claims }: Token): string =>
  [{ alg: "none" }, claims].map((part) => base64url(JSON.stringify(part))).join(".") + ".";

const base64url = (text: string): string => Buffer.from(text).toString("base64url");
