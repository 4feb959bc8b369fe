/**
 * An error as it may be written down: what went wrong and where. A database's own error also holds
 * the values it was given, and whole rows: names as people typed them, hashes, addresses.
 */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const { errors } = error as { readonly errors?: unknown };
  const code = codeOf(error);
  const among = Array.isArray(errors) ? errors.filter((each) => each instanceof Error) : [];
  return Object.assign(new Error(message), {
    name,
    stack,
    ...(code !== undefined && { code }),
    ...(cause !== undefined && { cause: plainError(cause) }),
    ...(among.length > 0 && { errors: among.map(plainError) }),
  });
}

/** A database's error comes wrapped, and the wrapping has no code of its own. */
function codeOf(error: Error): unknown {
  const { code, original } = error as { readonly code?: unknown; readonly original?: unknown };
  return code ?? (original as { readonly code?: unknown } | undefined)?.code;
}
