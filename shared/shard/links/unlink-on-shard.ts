import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Control } from "../../platform/bridge/calls/control.ts";
import { listLinks, unlink } from "../calls/bridge-calls.ts";
import { accountKey, type LinkOnShard } from "../owners/link-mirror.ts";

/** A link that is meant to be undone. */
export type MeantLink = Pick<LinkOnShard, "account" | "userId">;

export interface Unlinking {
  readonly account: string;
  /** Whether the shard still had the link. */
  readonly unlinked: boolean;
  /** Whose the account is instead. */
  readonly other: LinkOnShard | null;
}

/**
 * Undoes a link on the shard. The command names the account alone, which may be another user's by now:
 * the shard's list is asked immediately before, and nothing is sent unless the link is the one meant.
 * @throws {BridgeError} PROTECTED for accounts of the game's own staff
 */
export async function unlinkOnShard(
  { account, userId }: MeantLink,
  control: Control,
  order: Order,
): Promise<Unlinking> {
  const { requestId, signal } = order;
  const { links } = await control.read(listLinks, { requestId, signal });
  const found = links.find((link) => accountKey(link.account) === accountKey(account));
  if (found?.userId !== userId) return { account, unlinked: false, other: found ?? null };
  const answer = await control.command(unlink, order, { params: { account } });
  return { ...answer, other: null };
}
