/**
 * Returns the fields that differ, so that a request changes nothing that the person left alone. Values are compared
 * by their content.
 */
export function changesOf<Values extends object>(before: Values, after: Values): Partial<Values> {
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Values]),
  );
  return Object.fromEntries(changed) as Partial<Values>;
}
