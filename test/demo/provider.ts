import { Op } from "sequelize";

import { type DemoAccount, demoProvider } from "../../jobs/commands/machine/demo.ts";
import { changeProvider, createProvider } from "../../shared/auth/providers/provider-admin.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";

/** The registration of the site at the demo's sign-in provider. */
export interface DemoProviderLink {
  readonly issuer: string;
  readonly clientSecret: string;
}

/**
 * Adds the demo's sign-in provider. Links the account of each role to the provider's account of
 * that role.
 */
export async function linkProvider(
  { issuer, clientSecret }: DemoProviderLink,
  accounts: readonly DemoAccount[],
  admin: Caller,
  context: SiteContext,
): Promise<void> {
  const { AuthProvider, Identity } = context.models;
  const { id, name, clientId } = demoProvider;
  const given = { name, issuer, clientId, clientSecret, enabled: true };
  if (await AuthProvider.findByPk(id)) await changeProvider(id, given, admin, context);
  else await createProvider({ ...given, id }, admin, context);
  await keepLinks({ id, issuer }, context);
  for (const { id: userId, username: subject } of accounts) {
    const identity = { providerId: id, issuer, subject };
    const isKnown = (await Identity.count({ where: { userId, providerId: id } })) > 0;
    const isTaken = (await Identity.count({ where: identity })) > 0;
    if (!isKnown && !isTaken) await Identity.create({ ...identity, userId, providerName: name });
  }
}

/**
 * Changes the issuer of existing links to the present one: the issuer contains the provider's port,
 * which may change between starts.
 */
async function keepLinks(
  { id: providerId, issuer }: { readonly id: string; readonly issuer: string },
  { models: { Identity } }: SiteContext,
): Promise<void> {
  const former = { providerId, issuer: { [Op.ne]: issuer } };
  for (const identity of await Identity.findAll({ where: former })) {
    const { subject } = identity;
    const isTaken = (await Identity.count({ where: { providerId, issuer, subject } })) > 0;
    await (isTaken ? identity.destroy() : identity.update({ issuer }));
  }
}
