/** What a site answered to a call of the plugin. */
export interface SiteAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Milliseconds to wait before the next try. */
  readonly retryMs: number;
}

/** The calls of a plugin to its site. */
export class SiteCalls {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  post(path: string, body: object, signal: AbortSignal): Promise<SiteAnswer> {
    return this.#call(path, { method: "POST", body: JSON.stringify(body), signal });
  }

  get(path: string, signal: AbortSignal): Promise<SiteAnswer> {
    return this.#call(path, { method: "GET", signal });
  }

  async #call(path: string, given: RequestInit): Promise<SiteAnswer> {
    const headers = { authorization: `Bearer ${this.#key}`, "content-type": "application/json" };
    const response = await fetch(`${this.#url}${path}`, { ...given, headers });
    const text = await response.text();
    const body = (text === "" ? {} : JSON.parse(text)) as SiteAnswer["body"];
    const retryMs = 1_000 * Number(response.headers.get("retry-after") ?? 0);
    return { status: response.status, body, retryMs };
  }
}
