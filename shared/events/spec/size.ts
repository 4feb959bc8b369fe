/** More than the largest spec that keeps every limit. */
export const mostValues = 20_000;

/** Whether a JSON value holds more values than any spec: its faults would be too many to tell. */
export function isTooLarge(spec: unknown): boolean {
  const waiting: unknown[] = [spec];
  let count = 0;
  while (waiting.length > 0 && count <= mostValues) {
    const value = waiting.pop();
    count += 1;
    const held: readonly unknown[] =
      typeof value === "object" && value !== null ? Object.values(value) : [];
    // One by one: a call takes only so many arguments.
    for (const item of held) waiting.push(item);
  }
  return count > mostValues;
}
