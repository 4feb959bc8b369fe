import type { ErrorCode } from "../errors/error-codes.ts";
import { AppError, invalidFields } from "../errors/errors.ts";
import { ForbiddenAddress } from "./checked-addresses.ts";
import { NoAddress, ResolverFault } from "./resolve-host.ts";

interface Asked {
  /** The field of the input that names the host. */
  readonly field: string;
  /** What is told where nobody can say which addresses the host has. */
  readonly unresolved: { readonly code: ErrorCode; readonly message: string };
}

const retrySeconds = 5;

/**
 * Refuses a host whose name leads nowhere, or to where none may be.
 * @param find looks its addresses up, as `checkedAddresses` does
 * @throws AppError that says which
 */
export async function requirePublicHost(
  find: () => Promise<unknown>,
  { field, unresolved: { code, message } }: Asked,
): Promise<void> {
  const refuse = (rule: string) => invalidFields([{ path: field, message: `${field} ${rule}` }]);
  try {
    await find();
  } catch (error) {
    if (error instanceof NoAddress) throw refuse("names a host that does not exist");
    if (error instanceof ForbiddenAddress) throw refuse("names a host that is not public");
    if (!(error instanceof ResolverFault)) throw error;
    throw new AppError(code, message, { retryAfter: retrySeconds, cause: error });
  }
}
