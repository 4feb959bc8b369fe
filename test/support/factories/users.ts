import { randomBytes, randomUUID } from "node:crypto";

import { type Attributes, type CreationAttributes, literal, type Transaction } from "sequelize";

import type { AddressReputation } from "../../../models/auth/address-reputation.ts";
import type { ApiToken } from "../../../models/auth/api-token.ts";
import type { Identity } from "../../../models/auth/identity.ts";
import type { PasswordReset } from "../../../models/auth/password-reset.ts";
import type { TrustedDevice } from "../../../models/auth/trusted-device.ts";
import type { User } from "../../../models/auth/user.ts";
import { clockNowPlus, clockNow } from "../../../models/queries/clock.ts";
import type { DatabaseHolder } from "../database/query.ts";

/** The columns that a test must set, and any other columns. */
type Given<Row, Needed extends keyof Row> = Pick<Row, Needed> & Partial<Row>;

/** Inserts an identity of a user at a sign-in provider. By default the provider is Google. */
export const buildIdentity = (
  { context }: DatabaseHolder,
  given: Given<CreationAttributes<Identity>, "userId">,
): Promise<Identity> =>
  context.models.Identity.create({
    providerId: "google",
    providerName: "Google",
    issuer: "https://issuer.example",
    subject: randomUUID(),
    ...given,
  });

/** Inserts a trusted device. By default it is trusted for a day, and no browser has its token. */
export const buildTrustedDevice = (
  { context }: DatabaseHolder,
  given: Given<CreationAttributes<TrustedDevice>, "userId">,
): Promise<TrustedDevice> =>
  context.models.TrustedDevice.create({
    tokenHash: randomBytes(32),
    label: "x",
    expiresAt: clockNowPlus(86_400_000),
    ...given,
  });

/** Inserts a password reset. By default it is valid for an hour, and its link was never mailed. */
export const buildPasswordReset = (
  { context }: DatabaseHolder,
  given: Given<CreationAttributes<PasswordReset>, "userId">,
): Promise<PasswordReset> =>
  context.models.PasswordReset.create({
    tokenHash: randomBytes(32),
    expiresAt: clockNowPlus(3_600_000),
    ...given,
  });

export const userOf = ({ context }: DatabaseHolder, id: number): Promise<User> =>
  context.models.User.findByPk(id, { rejectOnEmpty: true });

export const buildReputation = (
  { context }: DatabaseHolder,
  given: Given<CreationAttributes<AddressReputation>, "addressKey">,
): Promise<AddressReputation> => context.models.AddressReputation.create(given);

type GivenUser = Given<CreationAttributes<User>, "username">;

const userRow = (given: GivenUser): CreationAttributes<User> => ({
  usernameKey: given.username.toLowerCase(),
  role: "player",
  ...given,
});

/**
 * Inserts the row of a user. By default it is a player who cannot sign in and has no folded name.
 */
export const buildUser = (
  { context }: DatabaseHolder,
  given: GivenUser,
  transaction: Transaction | null = null,
): Promise<User> => context.models.User.create(userRow(given), { transaction });

export const buildUsers = (
  { context }: DatabaseHolder,
  given: readonly GivenUser[],
): Promise<User[]> => context.models.User.bulkCreate(given.map(userRow));

/** Changes only the row of a user. A change by the service would have further effects. */
export const changeUser = async (
  { context }: DatabaseHolder,
  id: number,
  changes: Partial<Attributes<User>>,
  transaction: Transaction | null = null,
): Promise<void> =>
  void (await context.models.User.update(changes, { where: { id }, transaction }));

/**
 * Disables an account without ending its sessions. The service does both, one after the other, and this is the
 * state in between.
 */
export const disableUser = (
  on: DatabaseHolder,
  id: number,
  transaction: Transaction | null = null,
): Promise<void> => changeUser(on, id, { disabledAt: clockNow() }, transaction);

/** Ends all sessions and tokens of a user in the database, without notifying the processes. */
export const cutOffUser = async (
  { context }: DatabaseHolder,
  id: number,
  transaction: Transaction | null = null,
): Promise<void> =>
  void (await context.models.User.increment("generation", {
    where: { id },
    ...(transaction && { transaction }),
  }));

export const deleteUser = async (
  { context }: DatabaseHolder,
  id: number,
  transaction: Transaction | null = null,
): Promise<void> => void (await context.models.User.destroy({ where: { id }, transaction }));

/** Sets the sign-in times of a user's devices back. */
export const ageDeviceSessions = async (
  { context }: DatabaseHolder,
  userId: number,
  seconds: number,
): Promise<void> =>
  void (await context.models.MobileFamily.decrement(
    { signedInAt: seconds },
    { where: { userId } },
  ));

/** Sets the time of an IP address's reputation score back by this many seconds. */
export const ageScore = async (
  { context }: DatabaseHolder,
  addressKey: string,
  seconds: number,
): Promise<void> => {
  const scoredAt = literal(`scored_at - make_interval(secs => ${seconds})`);
  await context.models.AddressReputation.update({ scoredAt }, { where: { addressKey } });
};

/** Returns the reputation of an IP address, or null if none is stored. */
export const reputationOf = (
  { context }: DatabaseHolder,
  addressKey: string,
): Promise<AddressReputation | null> => context.models.AddressReputation.findByPk(addressKey);

export const changeReputation = async (
  { context }: DatabaseHolder,
  addressKey: string,
  changes: Partial<Attributes<AddressReputation>>,
): Promise<void> =>
  void (await context.models.AddressReputation.update(changes, { where: { addressKey } }));

/** Changes the row of an API token, without notifying the processes. */
export const changeApiToken = async (
  { context }: DatabaseHolder,
  id: number,
  changes: Partial<Attributes<ApiToken>>,
): Promise<void> => void (await context.models.ApiToken.update(changes, { where: { id } }));
