/** What a service wrote about one of its requests that failed. */
type FindCause = (requestId: string | null) => string;

const causes = new Map<string, FindCause>();

/** Has answers of a service at this origin explained when they are a 500. */
export const keepCauses = (origin: string, find: FindCause): void => void causes.set(origin, find);

export const causeOf = (origin: string, requestId: string | null): string =>
  causes.get(origin)?.(requestId) ?? "(what this service logs is not kept)";

/** The end of what a service in this process logs: takes the place of its standard output. */
export class KeptLines {
  readonly #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > 200) this.#lines.shift();
  }

  /** What was logged of one request, its stack in lines. */
  about(requestId: string | null): string {
    const lines = this.#lines.filter((line) => requestId !== null && line.includes(requestId));
    return lines.join("").replaceAll(String.raw`\n`, "\n") || "(nothing)";
  }
}
