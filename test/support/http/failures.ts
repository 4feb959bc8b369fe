/** Finds the log lines of a failed request. */
type FindCause = (requestId: string | null) => string;

const causes = new Map<string, FindCause>();

/** Registers a function that explains 500 answers of the service at this origin. */
export const registerCauseFinder = (origin: string, find: FindCause): void =>
  void causes.set(origin, find);

export const causeOf = (origin: string, requestId: string | null): string =>
  causes.get(origin)?.(requestId) ?? "(what this service logs is not kept)";

/** Keeps the last log lines of a service in this process, in place of its standard output. */
export class RecentLogLines {
  readonly #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > 200) this.#lines.shift();
  }

  /** The log lines of one request, with the stack split into lines. */
  about(requestId: string | null): string {
    const lines = this.#lines.filter((line) => requestId !== null && line.includes(requestId));
    return lines.join("").replaceAll(String.raw`\n`, "\n") || "(nothing)";
  }
}
