import type { Transaction } from "sequelize";

import { clockNowPlus } from "../../../models/queries/clock.ts";
import type { Webhook } from "../../../models/webhooks/webhook.ts";
import type { Caller } from "../../platform/access/caller.ts";
import type { Config } from "../../platform/config/config.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { invalidFieldsError } from "../../platform/errors/errors.ts";
import type { HookContext } from "../context.ts";
import type { HookStream } from "../messages/hook-streams.ts";
import { newHookSecret } from "../messages/message.ts";
import { sealHookSecret, sealHookUrl } from "./hook-secrets.ts";
import {
  checkHookUrl,
  findHook,
  sortStreams,
  recordHookActivity,
  type SavedHook,
  urlColumns,
  initialDeliveryState,
} from "./hooks.ts";

/** For this time after a rotation, the former secret also signs messages. */
const formerSecretMs = 24 * 3_600_000;

export interface HookChange {
  readonly url?: string;
  readonly streams?: readonly HookStream[];
  readonly enabled?: boolean;
  readonly rotateSecret?: boolean;
}

/**
 * Changes the given fields. Switching a webhook on or moving it to another address clears its failures.
 * @throws AppError not_found, or for each rule that the change breaks
 */
export async function changeHook(
  id: number,
  change: HookChange,
  actor: Caller,
  context: HookContext,
): Promise<SavedHook> {
  const url = await checkChange(id, change, context);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const hook = await findHook(id, context, transaction);
    const isReset = url !== null || (change.enabled === true && !hook.enabled);
    await changeFields(hook, { ...change, url, beginsAnew: isReset }, { transaction, ...context });
    const secret = change.rotateSecret ? await rotate(hook, { transaction, ...context }) : null;
    const { streams, enabled } = change;
    const detail = {
      ...(url && { origin: url.origin }),
      ...(streams && { streams: hook.streams }),
      ...(enabled !== undefined && { enabled }),
      ...(secret !== null && { secretRotated: true }),
    };
    await recordHookActivity("webhook.changed", id, { actor, detail }, transaction);
    if (isReset) {
      await context.queue.enqueue("webhook.send", { webhookId: id }, { within: transaction });
    }
    return { hook: await hook.reload({ transaction }), secret };
  });
}

/** Checks a change. @returns the new address; null if the address stays the same */
async function checkChange(
  id: number,
  { url, rotateSecret }: HookChange,
  context: HookContext,
): Promise<URL | null> {
  const { format, shownUrl } = await findHook(id, context);
  if (rotateSecret && format === "discord") {
    const message =
      "rotateSecret is not allowed for Discord webhooks, because their messages are not signed";
    throw invalidFieldsError([{ path: "rotateSecret", message }]);
  }
  // Lists show a masked address. A client that sends this address back does not change the real one.
  return url === undefined || url === shownUrl ? null : checkHookUrl(url, format, context);
}

interface HookWriteContext {
  readonly transaction: Transaction;
  readonly config: Config;
}

interface CheckedHookChange extends Omit<HookChange, "url"> {
  readonly url: URL | null;
  readonly beginsAnew: boolean;
}

async function changeFields(
  hook: Webhook,
  { url, streams, enabled, beginsAnew }: CheckedHookChange,
  { transaction, config }: HookWriteContext,
): Promise<void> {
  const { lastSuccessAt: _, ...anew } = initialDeliveryState;
  await hook.update(
    {
      ...(url && {
        ...urlColumns(url, hook.format),
        urlSealed: sealHookUrl(hook.id, url.href, config),
      }),
      ...(streams && { streams: sortStreams(streams) }),
      ...(enabled !== undefined && { enabled }),
      ...(beginsAnew && anew),
    },
    { transaction },
  );
}

/** @returns the new secret */
async function rotate(hook: Webhook, { transaction, config }: HookWriteContext): Promise<string> {
  const secret = newHookSecret();
  await hook.update(
    {
      secretSealed: sealHookSecret(hook.id, secret, config),
      formerSecretSealed: hook.secretSealed,
      formerSecretUntil: clockNowPlus(formerSecretMs),
    },
    { transaction },
  );
  return secret;
}
