import type { Role } from "../../../models/auth/user.ts";
import { lockUser } from "../../auth/users/users.ts";
import {
  isPushStream,
  canSubscribe,
  type PushStream,
  pushStreamNames,
} from "../../facts/streams.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { invalidFieldsError, unauthenticatedError } from "../../platform/errors/errors.ts";

/** Returns the streams that a user subscribes to and their role allows, in the catalog's order. */
export async function readSubscriptions(
  { userId, role }: { readonly userId: number; readonly role?: Role },
  { models }: Pick<Context, "models">,
): Promise<PushStream[]> {
  const rows = await models.PushSubscription.findAll({ where: { userId }, raw: true });
  const wanted = new Set(rows.map(({ stream }) => stream));
  return pushStreamNames.filter((name) => wanted.has(name) && (!role || canSubscribe(name, role)));
}

/** Replaces the caller's subscriptions. @throws AppError for each unknown stream, without changing anything */
export async function replaceSubscriptions(
  names: readonly string[],
  { userId, role }: Caller,
  { sequelize, models }: Context,
): Promise<PushStream[]> {
  const faults = names.flatMap((name, at) =>
    isPushStream(name) && canSubscribe(name, role)
      ? []
      : [{ path: `streams.${at}`, message: `streams.${at} is not the name of a stream` }],
  );
  if (faults.length > 0) throw invalidFieldsError(faults);
  const wanted = pushStreamNames.filter((name) => names.includes(name));
  await inCallersTransaction(sequelize, async (transaction) => {
    // The lock makes concurrent requests run one after the other, so that the rows are those of one request.
    if (!(await lockUser(userId, transaction))) throw unauthenticatedError();
    const { PushSubscription } = models;
    await PushSubscription.destroy({ where: { userId }, transaction });
    await PushSubscription.bulkCreate(
      wanted.map((stream) => ({ userId, stream })),
      { transaction },
    );
  });
  return wanted;
}
