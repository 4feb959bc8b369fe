import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import type { Webhook, WebhookFormat } from "../../../models/webhooks/webhook.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { takeTransactionLock } from "../../platform/db/lock.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { AppError, invalidFieldsError, notFoundError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";
import type { HookContext } from "../context.ts";
import { type HookStream, hookStreams } from "../messages/hook-streams.ts";
import { newHookSecret } from "../messages/message.ts";
import { checkHookHost, readHookUrl, maskHookUrl } from "../receiver/hook-url.ts";
import { sealHookSecret, sealHookUrl } from "./hook-secrets.ts";

export const listHooks = ({ models }: Pick<Context, "models">): Promise<Webhook[]> =>
  models.Webhook.findAll({ order: ["id"] });

/** @throws AppError not_found */
export async function findHook(
  id: number,
  { models }: Pick<Context, "models">,
  transaction?: Transaction,
): Promise<Webhook> {
  const locked = transaction && { transaction, lock: transaction.LOCK.NO_KEY_UPDATE };
  const hook = await models.Webhook.findOne({ where: { id: matchClientId(id) }, ...locked });
  if (!hook) throw notFoundError("Unknown webhook");
  return hook;
}

export interface NewHook {
  readonly url: string;
  readonly format: WebhookFormat;
  readonly streams: readonly HookStream[];
  readonly enabled: boolean;
}

/** A webhook and its secret, which is shown only once. */
export interface SavedHook {
  readonly hook: Webhook;
  /** Null if the change created no new secret. */
  readonly secret: string | null;
}

/** @throws AppError for the rule that the address breaks, or webhook_limit_reached */
export async function createHook(
  { url: given, format, streams, enabled }: NewHook,
  actor: Caller,
  context: HookContext,
): Promise<SavedHook> {
  const { config } = context;
  const url = await checkHookUrl(given, format, context);
  return inCallersTransaction(context.sequelize, async (transaction) => {
    // The lock keeps concurrent requests from exceeding the limit.
    await takeTransactionLock("webhooks", transaction);
    const { Webhook: Hook } = modelsOf(transaction);
    if ((await Hook.count({ transaction })) >= limits.webhooks) {
      throw new AppError(
        "webhook_limit_reached",
        `There are already ${limits.webhooks} webhooks: delete one first`,
      );
    }
    const secret = format === "standard" ? newHookSecret() : null;
    const row = {
      format,
      streams: sortStreams(streams),
      enabled,
      urlSealed: "",
      ...urlColumns(url, format),
    };
    const hook = await Hook.create(
      { ...row, ...initialDeliveryState, ...unsigned },
      { transaction },
    );
    // Sealing needs the row's id, so it follows the insert.
    await hook.update(
      {
        urlSealed: sealHookUrl(hook.id, url.href, config),
        secretSealed: secret && sealHookSecret(hook.id, secret, config),
      },
      { transaction },
    );
    const detail = { format, streams: hook.streams, enabled, origin: url.origin };
    await recordHookActivity("webhook.created", hook.id, { actor, detail }, transaction);
    return { hook: await hook.reload({ transaction }), secret };
  });
}

const unsigned = { secretSealed: null, formerSecretSealed: null, formerSecretUntil: null } as const;

/** The state of a webhook before its first delivery. */
export const initialDeliveryState = {
  lastSuccessAt: null,
  lastError: null,
  failingSince: null,
  disabledReason: null,
  heldUntil: null,
} as const;

/** Deletes a webhook and its deliveries. @throws AppError not_found */
export function deleteHook(id: number, actor: Caller, context: HookContext): Promise<void> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const hook = await findHook(id, context, transaction);
    const { format, origin } = hook;
    await hook.destroy({ transaction });
    await recordHookActivity(
      "webhook.deleted",
      id,
      { actor, detail: { format, origin } },
      transaction,
    );
  });
}

/** Checks a webhook's address. @throws AppError that names the broken rule */
export async function checkHookUrl(
  text: string,
  format: WebhookFormat,
  { config }: Context,
): Promise<URL> {
  const url = readHookUrl(text, format, config);
  if (typeof url === "string") throw invalidFieldsError([{ path: "url", message: `url ${url}` }]);
  await checkHookHost(url, config);
  return url;
}

/** The columns of an address that are stored unencrypted. The whole address is stored sealed. */
export const urlColumns = (url: URL, format: WebhookFormat) => ({
  origin: url.origin,
  shownUrl: maskHookUrl(url, format),
});

/** Removes duplicates and sorts streams in the catalog's order. */
export const sortStreams = (streams: readonly HookStream[]): HookStream[] =>
  hookStreams.filter((name) => streams.includes(name));

export const recordHookActivity = (
  action: string,
  id: number,
  { actor, detail }: { readonly actor: Caller; readonly detail: object },
  transaction: Transaction,
): Promise<void> =>
  recordActivity(
    { actor, action, target: { type: "webhook", id }, detail: { ...detail } },
    transaction,
  );
