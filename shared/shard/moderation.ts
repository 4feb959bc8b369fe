import type { Context } from "../context.ts";
import type { Done } from "./bridge-answers.ts";
import { ban, broadcast, kick, unban } from "./bridge-calls.ts";
import { carryOut, type ShardCommand, type ShardOrder } from "./commands.ts";
import { isoTime } from "./times.ts";
import { type Fields, plain, showAll } from "./view.ts";

/** Whom it is about: one of the two, or both. */
export interface Target {
  readonly account?: string | undefined;
  readonly serial?: string | undefined;
}

export interface Ban extends Target {
  /** 0 or absent: for ever. */
  readonly durationSec?: number | undefined;
  readonly reason?: string | undefined;
}

export interface Broadcast {
  readonly text: string;
  readonly hue?: number | undefined;
}

/** Throws a player out of the world; they may come back. */
export const kickPlayer = (body: Target, order: ShardOrder, context: Context): Promise<Fields> =>
  moderate(
    {
      action: "shard.kick",
      target: targetOf(body),
      detail: { ...body },
      send: (control, sent) => control.command(kick, sent, { body }),
    },
    order,
    context,
  );

/** Shuts a game account out, for a time or for ever. */
export const banAccount = (body: Ban, order: ShardOrder, context: Context): Promise<Fields> =>
  moderate(
    {
      action: "shard.ban",
      target: targetOf(body),
      detail: { ...body },
      send: (control, sent) => control.command(ban, sent, { body }),
    },
    order,
    context,
  );

export const unbanAccount = (
  body: { readonly account: string },
  order: ShardOrder,
  context: Context,
): Promise<Fields> =>
  moderate(
    {
      action: "shard.unban",
      target: targetOf(body),
      detail: { ...body },
      send: (control, sent) => control.command(unban, sent, { body }),
    },
    order,
    context,
  );

/** Says something to everyone in the world. */
export const broadcastText = (
  body: Broadcast,
  order: ShardOrder,
  context: Context,
): Promise<Fields> =>
  moderate(
    {
      action: "shard.broadcast",
      detail: { ...body },
      send: (control, sent) => control.command(broadcast, sent, { body }),
    },
    order,
    context,
  );

const targetOf = ({ account, serial }: Target) =>
  account === undefined
    ? { type: "character", id: serial ?? "" }
    : { type: "gameAccount", id: account };

async function moderate(
  command: ShardCommand<Done> & { readonly detail: Target },
  order: ShardOrder,
  context: Context,
): Promise<Fields> {
  const { account, until, ...done } = await carryOut(command, order, context);
  // Whose account a character is stays with admins and with whoever named it.
  const mayKnow = order.caller.role === "admin" || command.detail.account !== undefined;
  return {
    ...showAll(shown, done),
    ...(mayKnow && typeof account === "string" && { account }),
    ...(until !== undefined && { until: isoTime(until) }),
  };
}

/** What the shard tells of it beside the account. */
const shown = plain("ok", "kicked", "wasBanned", "recipients");
