/**
 * An error as it may be written down: what went wrong and where. A database's own error also holds
 * the values it was given, and whole rows: names as people typed them, hashes, addresses.
 */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: unknown };
  const among = Array.isArray(errors) ? errors.filter((each) => each instanceof Error) : [];
  return Object.assign(new Error(message), {
    name,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: plainError(cause) }),
    ...(among.length > 0 && { errors: among.map(plainError) }),
  });
}
