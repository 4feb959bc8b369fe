import { type ApiAnswer, requestUrl, type CallOptions } from "../support/http/call.ts";
import type { TestServer } from "../support/service/server.ts";

/** A browser that only stores cookies and follows redirects. */
export class CookieBrowser {
  readonly #server: Pick<TestServer, "url" | "config">;
  readonly #ours = new Map<string, string>();
  readonly #theirs = new Map<string, string>();

  constructor(server: Pick<TestServer, "url" | "config">) {
    this.#server = server;
  }

  /** The cookies of the site, as a Cookie header. */
  get cookie(): string {
    return textOf(this.#ours);
  }

  hold(cookie: string): void {
    store(this.#ours, [cookie]);
  }

  /** Deletes the cookies of the site, as if the browser were closed. */
  forget(): void {
    this.#ours.clear();
  }

  /** Deletes the cookies of the provider. */
  forgetProvider(): void {
    this.#theirs.clear();
  }

  holds(name: string): boolean {
    return this.#ours.has(name);
  }

  /** Sends a request to the site. @param route for example `POST /auth/sso/totp` */
  call(route: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const [method = "GET", path = "/"] = route.split(" ");
    return this.#ask(`/api/v1${path}`, { method, ...options });
  }

  /**
   * Follows a redirect to a provider and all redirects of the provider.
   * @returns the address of the site to which the provider redirects
   */
  async goToProvider(location: string): Promise<string> {
    const home = this.#server.config.PUBLIC_BASE_URL;
    for (let url = location; ;) {
      if (url.startsWith(home)) return url.slice(home.length);
      const answer = await fetch(url, {
        redirect: "manual",
        headers: { cookie: textOf(this.#theirs) },
      });
      store(this.#theirs, answer.headers.getSetCookie());
      const next = answer.headers.get("location");
      if (next === null) throw new Error(`${url} answered ${answer.status} ${await answer.text()}`);
      url = new URL(next, url).href;
    }
  }

  /** Opens a path of the site, to which a provider has redirected. */
  open(path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.#ask(path, options);
  }

  /** Signs in at a provider: goes to the provider and returns to the site. */
  async signInAt(providerId: string, query = ""): Promise<ApiAnswer> {
    const begun = await this.call(`GET /auth/sso/${providerId}/start${query}`);
    return this.open(await this.goToProvider(begun.headers.get("location") ?? ""));
  }

  async #ask(
    path: string,
    options: CallOptions & { readonly method?: string },
  ): Promise<ApiAnswer> {
    const cookie = this.cookie;
    const headers = { ...(cookie !== "" && { cookie }), ...options.headers };
    const answer = await requestUrl(this.#server.url + path, { ...options, headers });
    store(this.#ours, answer.setCookies);
    return answer;
  }
}

const textOf = (jar: ReadonlyMap<string, string>): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

function store(jar: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [pair = "", ...attributes] = line.split(";");
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1)];
    const isOver = attributes.some((text) => /expires=Thu, 01 Jan 1970/i.test(text));
    if (value === "" || isOver) jar.delete(name);
    else jar.set(name, value);
  }
}
