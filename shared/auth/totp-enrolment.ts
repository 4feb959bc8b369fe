import { QueryTypes, type Transaction } from "sequelize";

import type { Context } from "../context.ts";
import { newTotpSecret, otpauthUrl } from "../crypto/totp.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { conflict } from "../errors.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import { tellUser } from "./order-mail.ts";
import { lockCaller } from "./own-account.ts";
import { recordOwn } from "./own-activity.ts";
import { reauthenticate, type Reauthentication } from "./reauthentication.ts";
import { deleteRecoveryCodes, makeRecoveryCodes, replaceRecoveryCodes } from "./recovery-codes.ts";
import { wrongOwnCode } from "./refusals.ts";
import { reissue, type Reissued } from "./reissue.ts";
import { revokeAll } from "./revocation.ts";
import { consumeSecondFactor, factorOf, type GivenFactor } from "./second-factor.ts";
import { checkTotpCode, sealTotpSecret } from "./totp-secret.ts";
import type { UserRow } from "./users.ts";

/** What an authenticator app needs. */
export interface Enrolment {
  readonly secret: string;
  readonly otpauthUrl: string;
}

/** Begins enrolment with a secret that counts for nothing until a code of it was entered. */
export function beginEnrolment(
  caller: Caller,
  given: Reauthentication,
  client: Client,
  context: Context,
): Promise<Enrolment> {
  const secret = newTotpSecret();
  const act = async ({ id, username, totpEnabled }: UserRow, transaction: Transaction) => {
    if (totpEnabled) throw conflict("The second factor is enabled already");
    await sqlOf(transaction).query(
      `insert into totp_pending (user_id, secret_sealed, expires_at)
       values ($1, $2, now() + make_interval(secs => $3))
       on conflict (user_id) do update
         set secret_sealed = excluded.secret_sealed, expires_at = excluded.expires_at`,
      [id, sealTotpSecret(id, secret, context), context.config.TOTP_SETUP_TTL / 1000],
    );
    return { secret, otpauthUrl: otpauthUrl(secret, username) };
  };
  return reauthenticate({ caller, client, given, act }, context);
}

/**
 * Ends enrolment with the first code. Sessions live on.
 * @returns the recovery codes, for the one time they are shown
 */
export async function enableTotp(
  caller: Caller,
  code: string,
  client: Client,
  context: Context,
): Promise<readonly string[]> {
  const { userId } = caller;
  const sealed = await findPending(userId, context);
  if (sealed === null) throw nothingPending();
  if (checkTotpCode({ userId, sealed }, code, context) === null) throw wrongOwnCode();
  const recovery = await makeRecoveryCodes(context.config);
  await inTransaction(context.sequelize, async (transaction) => {
    await lockCaller(caller, transaction);
    if (!(await promotePending(userId, sealed, transaction))) throw nothingPending();
    await replaceRecoveryCodes(userId, recovery, transaction);
    await recordOwn({ userId, action: "auth.totp.enabled", client }, transaction);
    await tellUser(userId, "totpEnabled", transaction, context);
  });
  return recovery.codes;
}

const nothingPending = () => conflict("Begin with totp/setup");

/** Takes the second factor away for one of its codes. Every session but the caller's own ends. */
export async function disableTotp(
  caller: Caller,
  given: GivenFactor,
  client: Client,
  context: Context,
): Promise<Reissued> {
  const factor = factorOf(given);
  if (!caller.totpEnabled) throw conflict("The second factor is not enabled");
  const { userId } = caller;
  const act = async (_user: UserRow, transaction: Transaction) => {
    await lockCaller(caller, transaction);
    await removeSecondFactor(userId, transaction);
    await recordOwn({ userId, action: "auth.totp.disabled", client }, transaction);
    await tellUser(userId, "totpDisabled", transaction, context);
    return reissue(caller, transaction, context);
  };
  const use = { userId, factor, purpose: "disable", client, act } as const;
  const done = await consumeSecondFactor(use, context);
  if (!done) throw wrongOwnCode();
  return done.result;
}

/** Secret, recovery codes and trusted devices go, and every session with them. */
export async function removeSecondFactor(userId: number, transaction: Transaction): Promise<void> {
  await revokeAll(userId, { reason: "second factor", trustedDevices: true }, transaction);
  await sqlOf(transaction).query(
    `update users set totp_enabled = false, totp_secret_sealed = null, totp_fail_count = 0,
       totp_locked_until = null, updated_at = now()
     where id = $1`,
    [userId],
  );
  await deleteRecoveryCodes(userId, transaction);
}

async function findPending(userId: number, { sequelize }: Context): Promise<string | null> {
  const [pending] = await sequelize.query<{ sealed: string }>(
    `select secret_sealed as sealed from totp_pending
     where user_id = $1 and expires_at > clock_timestamp()`,
    { bind: [userId], type: QueryTypes.SELECT },
  );
  return pending?.sealed ?? null;
}

/** The steps used so far belong to secrets of before. @returns false when it is gone */
async function promotePending(
  userId: number,
  sealed: string,
  transaction: Transaction,
): Promise<boolean> {
  const sql = sqlOf(transaction);
  const { rowCount } = await sql.query(
    "delete from totp_pending where user_id = $1 and secret_sealed = $2",
    [userId, sealed],
  );
  if (!rowCount) return false;
  await sql.query("delete from totp_used where user_id = $1", [userId]);
  await sql.query(
    `update users set totp_secret_sealed = $2, totp_enabled = true, totp_fail_count = 0,
       totp_locked_until = null, updated_at = now()
     where id = $1`,
    [userId, sealed],
  );
  return true;
}
