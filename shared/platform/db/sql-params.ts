/** The values of a statement that is put together from parts, in the order of their parameters. */
export class SqlParams {
  readonly values: unknown[] = [];

  /** @returns the value's parameter: `$1` and on */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
