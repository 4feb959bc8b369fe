interface ValueWithoutField {
  /** The path of the field that is missing, for example `items.0.price`. */
  readonly path: string;
  readonly value: unknown;
}

/** Returns copies of a value. In each, one field is missing, at any depth. */
export function removeEachField(value: unknown, path = ""): ValueWithoutField[] {
  if (typeof value !== "object" || value === null) return [];
  const place = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const set = (key: string, inner: unknown): unknown =>
    Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
  const removed = Array.isArray(value)
    ? []
    : Object.keys(value).map((key) => {
        const { [key]: _gone, ...rest } = value as Record<string, unknown>;
        return { path: place(key), value: rest };
      });
  const within = Object.entries(value).flatMap(([key, inner]) =>
    removeEachField(inner, place(key)).map((lacking) => ({
      path: lacking.path,
      value: set(key, lacking.value),
    })),
  );
  return [...removed, ...within];
}
