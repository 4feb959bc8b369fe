import { readUserRecord, type UserRecord } from "../../shared/auth/users/user-records.ts";
import type { ApiContext } from "../context.ts";

interface ById {
  readonly params: { readonly id: number };
}

/** Finds the user named in the path. @throws AppError 404 */
export const findUser = ({ params: { id } }: ById, context: ApiContext): Promise<UserRecord> =>
  readUserRecord(id, context);
