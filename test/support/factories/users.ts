import { randomBytes, randomUUID } from "node:crypto";

import { type Attributes, type CreationAttributes, literal, type Transaction } from "sequelize";

import type { AddressReputation } from "../../../models/auth/address-reputation.ts";
import type { ApiToken } from "../../../models/auth/api-token.ts";
import type { Identity } from "../../../models/auth/identity.ts";
import type { PasswordReset } from "../../../models/auth/password-reset.ts";
import type { TrustedDevice } from "../../../models/auth/trusted-device.ts";
import type { User } from "../../../models/auth/user.ts";
import { clockAfter, clockNow } from "../../../models/queries/clock.ts";
import type { OnDatabase } from "../database/query.ts";

/** The required columns of a row, and any other column that a test sets. */
type Given<Row, Needed extends keyof Row> = Pick<Row, Needed> & Partial<Row>;

/** By default an identity of Google. */
export const buildIdentity = (
  { context }: OnDatabase,
  given: Given<CreationAttributes<Identity>, "userId">,
): Promise<Identity> =>
  context.models.Identity.create({
    providerId: "google",
    providerName: "Google",
    issuer: "https://issuer.example",
    subject: randomUUID(),
    ...given,
  });

/** By default trusted for one more day, with a token that no browser has. */
export const buildTrustedDevice = (
  { context }: OnDatabase,
  given: Given<CreationAttributes<TrustedDevice>, "userId">,
): Promise<TrustedDevice> =>
  context.models.TrustedDevice.create({
    tokenHash: randomBytes(32),
    label: "x",
    expiresAt: clockAfter(86_400_000),
    ...given,
  });

/** By default open for one more hour, with a link that was never sent. */
export const buildPasswordReset = (
  { context }: OnDatabase,
  given: Given<CreationAttributes<PasswordReset>, "userId">,
): Promise<PasswordReset> =>
  context.models.PasswordReset.create({
    tokenHash: randomBytes(32),
    expiresAt: clockAfter(3_600_000),
    ...given,
  });

export const userOf = ({ context }: OnDatabase, id: number): Promise<User> =>
  context.models.User.findByPk(id, { rejectOnEmpty: true });

export const buildReputation = (
  { context }: OnDatabase,
  given: Given<CreationAttributes<AddressReputation>, "addressKey">,
): Promise<AddressReputation> => context.models.AddressReputation.create(given);

type GivenUser = Given<CreationAttributes<User>, "username">;

const userRow = (given: GivenUser): CreationAttributes<User> => ({
  usernameKey: given.username.toLowerCase(),
  role: "player",
  ...given,
});

/** Creates only the row; by default a player without a login and without a folded name. */
export const buildUser = (
  { context }: OnDatabase,
  given: GivenUser,
  transaction: Transaction | null = null,
): Promise<User> => context.models.User.create(userRow(given), { transaction });

export const buildUsers = ({ context }: OnDatabase, given: readonly GivenUser[]): Promise<User[]> =>
  context.models.User.bulkCreate(given.map(userRow));

/** Changes only the row, without the service's further effects. */
export const changeUser = async (
  { context }: OnDatabase,
  id: number,
  changes: Partial<Attributes<User>>,
  transaction: Transaction | null = null,
): Promise<void> =>
  void (await context.models.User.update(changes, { where: { id }, transaction }));

/** Disables an account without ending its sessions: the state between two statements. */
export const disableUser = (
  on: OnDatabase,
  id: number,
  transaction: Transaction | null = null,
): Promise<void> => changeUser(on, id, { disabledAt: clockNow() }, transaction);

/** Ends all sessions and tokens of an account by its row, without notifying processes. */
export const cutOffUser = async (
  { context }: OnDatabase,
  id: number,
  transaction: Transaction | null = null,
): Promise<void> =>
  void (await context.models.User.increment("generation", {
    where: { id },
    ...(transaction && { transaction }),
  }));

export const deleteUser = async (
  { context }: OnDatabase,
  id: number,
  transaction: Transaction | null = null,
): Promise<void> => void (await context.models.User.destroy({ where: { id }, transaction }));

/** Moves the sign-in times of a user's devices back. */
export const ageDeviceSessions = async (
  { context }: OnDatabase,
  userId: number,
  seconds: number,
): Promise<void> =>
  void (await context.models.MobileFamily.decrement(
    { signedInAt: seconds },
    { where: { userId } },
  ));

/** Moves the times of an address's score back. */
export const ageScore = async (
  { context }: OnDatabase,
  addressKey: string,
  seconds: number,
): Promise<void> => {
  const scoredAt = literal(`scored_at - make_interval(secs => ${seconds})`);
  await context.models.AddressReputation.update({ scoredAt }, { where: { addressKey } });
};

/** Null for an unknown address. */
export const reputationOf = (
  { context }: OnDatabase,
  addressKey: string,
): Promise<AddressReputation | null> => context.models.AddressReputation.findByPk(addressKey);

export const changeReputation = async (
  { context }: OnDatabase,
  addressKey: string,
  changes: Partial<Attributes<AddressReputation>>,
): Promise<void> =>
  void (await context.models.AddressReputation.update(changes, { where: { addressKey } }));

/** Changes only a token's row, without notifying processes. */
export const changeApiToken = async (
  { context }: OnDatabase,
  id: number,
  changes: Partial<Attributes<ApiToken>>,
): Promise<void> => void (await context.models.ApiToken.update(changes, { where: { id } }));
