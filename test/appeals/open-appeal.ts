import { expect } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import type { LinkedShard } from "../support/shard/linked-shard.ts";

export interface OpenedAppeal {
  readonly id: number;
  readonly account: string;
  readonly player: SignedIn;
}

export const reason = "I was fishing by hand, and can prove it.";

/** Links a new player to an account that no other test uses. */
export async function linkFreshAccount(
  shard: LinkedShard,
): Promise<{ player: SignedIn; account: string }> {
  const accounts = [...shard.simulator.world.accounts.values()];
  const free = accounts.find(
    ({ name, access }) =>
      access === "Player" && !shard.simulator.world.links.has(name.toLowerCase()),
  );
  if (!free) throw new Error("the small world has no more accounts");
  const player = await signIn(shard.server);
  await shard.link(player, free.name);
  return { player, account: free.name };
}

/** Bans an account through the API. */
export async function banAccountViaApi(shard: LinkedShard, account: string): Promise<void> {
  const admin = await signIn(shard.server, { role: "admin" });
  const body = { account, durationSec: 3600, reason: "Speed hack" };
  expect((await shard.as(admin, "POST /admin/shard/ban", { body })).status).toBe(200);
}

export async function openAppeal(
  shard: LinkedShard,
  ban: typeof banAccountViaApi,
): Promise<OpenedAppeal> {
  const { player, account } = await linkFreshAccount(shard);
  await ban(shard, account);
  const opened = await shard.as(player, "POST /player/appeals", { body: { account, reason } });
  expect(opened.status).toBe(201);
  return { player, account, id: (opened.body as { appeal: { id: number } }).appeal.id };
}
