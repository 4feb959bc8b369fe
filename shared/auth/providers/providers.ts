import type { Transaction } from "sequelize";

import type { AuthProvider } from "../../../models/auth/auth-provider.ts";
import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { missing } from "../../platform/errors/errors.ts";
import { isOffered } from "./provider-health.ts";

/** Lower priorities first; equal ones by name, so that the order stays. */
const inOrder = ["priority", "name", "id"];

export const listProviders = ({ models }: Context): Promise<AuthProvider[]> =>
  models.AuthProvider.findAll({ order: inOrder });

/** The providers that a sign-in may begin at. */
export async function listOfferedProviders({ models, config }: Context): Promise<AuthProvider[]> {
  const enabled = await models.AuthProvider.scope("enabled").findAll({ order: inOrder });
  return enabled.filter((provider) => isOffered(provider, config));
}

/** @throws AppError missing */
export async function findProvider(id: string, { models }: Context): Promise<AuthProvider> {
  const provider = await models.AuthProvider.findByPk(id);
  if (!provider) throw missing();
  return provider;
}

/** A provider that is switched on. @throws AppError missing for one that is not, as for none */
export async function findEnabledProvider(id: string, { models }: Context): Promise<AuthProvider> {
  const provider = await models.AuthProvider.scope("enabled").findByPk(id);
  if (!provider) throw missing();
  return provider;
}

/**
 * Whether a provider is still switched on. A provider takes seconds to answer and may be switched off
 * meanwhile, so the transaction that acts on the answer asks again, and holds the row until its end.
 */
export async function isStillEnabled(id: string, transaction: Transaction): Promise<boolean> {
  const { AuthProvider } = modelsOf(transaction);
  const lock = transaction.LOCK.SHARE;
  return (await AuthProvider.scope("enabled").findByPk(id, { transaction, lock })) !== null;
}
