/** The site's answer to a call. */
export interface SiteAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The milliseconds until the next attempt. */
  readonly retryMs: number;
}

/**
 * Sends a plugin's calls to the site. After a failed call the next one goes to another web process.
 */
export class SiteCalls {
  readonly #urls: readonly string[];
  readonly #key: string;
  #failures = 0;

  /** @param urls the URLs of the site's web processes */
  constructor(urls: readonly string[], key: string) {
    this.#urls = urls;
    this.#key = key;
  }

  /** The URL of the web process for the next call. */
  get url(): string {
    return this.#urls[this.#failures % this.#urls.length] ?? "";
  }

  post(path: string, body: object, signal: AbortSignal): Promise<SiteAnswer> {
    return this.#call(path, { method: "POST", body: JSON.stringify(body), signal });
  }

  get(path: string, signal: AbortSignal): Promise<SiteAnswer> {
    return this.#call(path, { method: "GET", signal });
  }

  async #call(path: string, given: RequestInit): Promise<SiteAnswer> {
    const headers = { authorization: `Bearer ${this.#key}`, "content-type": "application/json" };
    const { response, text } = await this.#fetch(path, { ...given, headers });
    const body = (text === "" ? {} : JSON.parse(text)) as SiteAnswer["body"];
    const retryMs = 1_000 * Number(response.headers.get("retry-after") ?? 0);
    return { status: response.status, body, retryMs };
  }

  async #fetch(path: string, given: RequestInit): Promise<{ response: Response; text: string }> {
    const failures = this.#failures;
    try {
      const response = await fetch(`${this.url}${path}`, given);
      return { response, text: await response.text() };
    } catch (error) {
      // If several calls fail at once, change the web process only once.
      if (this.#failures === failures && !given.signal?.aborted) this.#failures += 1;
      throw error;
    }
  }
}
