import type { TestServer } from "./server.ts";

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
  /** The lines of `Set-Cookie`. */
  readonly setCookies: readonly string[];
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request, named as the contract names it: `POST /auth/login`. */
export async function call(
  server: Pick<TestServer, "url">,
  route: string,
  { body, headers }: CallOptions = {},
): Promise<Answered> {
  const [method = "GET", path = "/"] = route.split(" ");
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    redirect: "manual",
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as unknown) : text,
    text,
    headers: response.headers,
    setCookies: response.headers.getSetCookie(),
  };
}

/** `name=value` of a cookie an answer sets; undefined when it sets none or clears it. */
export function cookieOf({ setCookies }: Answered, name: string): string | undefined {
  const line = setCookies.find((cookie) => cookie.startsWith(`${name}=`));
  const pair = line?.split(";")[0];
  return pair === `${name}=` ? undefined : pair;
}
