/** Returns the log lines about a failed request. */
type FindCause = (requestId: string | null) => string;

const causes = new Map<string, FindCause>();

/** Registers a function that returns the log lines which explain a status 500 of the service at this origin. */
export const registerCauseFinder = (origin: string, find: FindCause): void =>
  void causes.set(origin, find);

export const causeOf = (origin: string, requestId: string | null): string =>
  causes.get(origin)?.(requestId) ?? "(what this service logs is not kept)";

/**
 * Keeps the last log lines of a service that runs in the test process. The service does not print
 * them.
 */
export class RecentLogLines {
  readonly #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > 200) this.#lines.shift();
  }

  /** Returns the log lines about one request. Stack traces are split into lines. */
  about(requestId: string | null): string {
    const lines = this.#lines.filter((line) => requestId !== null && line.includes(requestId));
    return lines.join("").replaceAll(String.raw`\n`, "\n") || "(nothing)";
  }
}
