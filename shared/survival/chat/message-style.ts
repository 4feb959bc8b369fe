import { isDeepStrictEqual } from "node:util";

import Joi from "joi";
import type { Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { clockNow } from "../../../models/queries/clock.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { hashContent, requireBaseRevision } from "../../platform/base-revision.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { nameTextField } from "../../platform/texts/visible-text.ts";
import { setMessageStyleCall } from "../calls/speech-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { steamIdPattern } from "../kinds/fields.ts";
import { requestSync } from "../sync/request-sync.ts";
import type { PreparedSync, SyncKind } from "../sync/sync-kind.ts";
import { cleanTitle } from "../titles/title-categories.ts";

/** The style of the site's chat messages, in the fields of chat plugins. */
export interface MessageStyle {
  readonly name: string;
  readonly title: {
    readonly text: string;
    readonly color: string;
    readonly size: number;
    readonly hidden: boolean;
  };
  readonly username: { readonly color: string; readonly size: number };
  readonly message: { readonly color: string; readonly size: number };
  readonly format: { readonly chat: string; readonly console: string };
  /** The Steam account whose avatar the chat shows. */
  readonly iconSteamId: string | null;
  readonly prefix: string | null;
}

export const defaultMessageStyle: MessageStyle = {
  name: "Announcement",
  title: { text: "Announcement", color: "#ffaa55", size: 15, hidden: false },
  username: { color: "#ffaa55", size: 15 },
  message: { color: "#ffffff", size: 15 },
  format: { chat: "{Title}: {Message}", console: "{Title}: {Message}" },
  iconSteamId: null,
  prefix: null,
};

/** The fields to set. Omitted fields get their defaults. */
export type MessageStyleChange = {
  readonly [Part in keyof MessageStyle]?: PartOf<MessageStyle[Part]>;
};

type PartOf<Value> = Value extends object ? Partial<Value> : Value;

const color = Joi.string()
  .pattern(/^#[0-9a-fA-F]{6}$/)
  .messages({ "string.pattern.base": "{{#label}} must be a color such as #ff5533" })
  .example("#ffaa55");
const size = Joi.number().integer().min(8).max(32);
const line = (max: number) => nameTextField(max).custom(removeMarkup);

/** Removes markup, which could also style other players' messages. */
const removeMarkup = (text: string): string => cleanTitle(text);

const tokens = ["Title", "Username", "Message", "ID", "Time", "Date"] as const;
const tokenPattern = /\{([^{}]*)\}/g;

function checkTemplate(text: string, helpers: Joi.CustomHelpers<string>): string | Joi.ErrorReport {
  const used = [...text.matchAll(tokenPattern)].map(([, name]) => name);
  const isKnown = used.every((name) => tokens.some((token) => token === name));
  const left = text.replaceAll(tokenPattern, "");
  if (!isKnown || /[{}<>\p{Cc}]/u.test(left)) return helpers.error("voice.format");
  return used.includes("Message") ? text : helpers.error("voice.message");
}

const format = Joi.string()
  .max(128)
  .custom(checkTemplate)
  .messages({
    // Escape the brace, because Joi would read it as a template.
    "voice.format": `{{#label}} may hold ${tokens.map((token) => `\\{${token}}`).join(", ")} and plain text`,
    "voice.message": String.raw`{{#label}} must hold \{Message}`,
  });

export const messageStyleFields = Joi.object<MessageStyleChange>({
  name: line(32)
    .min(1)
    .description("Name that the chat shows as the sender of the site's messages."),
  title: Joi.object({
    text: line(32).allow(""),
    color,
    size,
    hidden: Joi.boolean().description("Whether messages are shown without the title."),
  }).description("Title that the chat shows before the sender's name."),
  username: Joi.object({ color, size }),
  message: Joi.object({ color, size }),
  format: Joi.object({ chat: format, console: format }).description(
    "Templates of a message, in the chat (`chat`) and on the console (`console`). Each must " +
      "contain `{Message}`.",
  ),
  iconSteamId: Joi.string()
    .pattern(steamIdPattern)
    .allow(null)
    .description(
      "SteamID64 of the account whose avatar the chat shows next to the site's messages. Null " +
        "for the default icon.",
    )
    .example("76561198000000001"),
  prefix: line(32).allow("", null),
});

/** Completes a message style with the defaults. */
export function completeMessageStyle(change: MessageStyleChange): MessageStyle {
  const { name, title, username, message, format: formats, iconSteamId, prefix } = change;
  return {
    name: name || defaultMessageStyle.name,
    title: { ...defaultMessageStyle.title, ...title },
    username: { ...defaultMessageStyle.username, ...username },
    message: { ...defaultMessageStyle.message, ...message },
    format: { ...defaultMessageStyle.format, ...formats },
    iconSteamId: iconSteamId ?? null,
    prefix: prefix || null,
  };
}

interface MessageStyleView extends MessageStyle {
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
  readonly revision: string;
}

export async function readMessageStyle(
  { models }: Pick<Context, "models">,
  transaction: Transaction | null = null,
): Promise<MessageStyleView> {
  const stored = await models.SurvivalVoice.findByPk(1, {
    transaction,
    include: [{ association: "changedBy", attributes: ["username"] }],
    rejectOnEmpty: true,
  });
  const changedBy = stored.get("changedBy") as { readonly username: string } | null;
  const voice = stored.voice ? completeMessageStyle(stored.voice) : defaultMessageStyle;
  const { updatedAt } = stored;
  return {
    ...voice,
    revision: hashContent(voice),
    updatedAt,
    updatedBy: changedBy?.username ?? null,
  };
}

/** Replaces the whole message style and requests a sync of all servers. */
export async function changeMessageStyle(
  change: MessageStyleChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<MessageStyleView> {
  const voice = { ...completeMessageStyle(change) };
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { SurvivalVoice } = modelsOf(transaction);
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const stored = await SurvivalVoice.findByPk(1, { transaction, lock, rejectOnEmpty: true });
    const before = stored.voice ? completeMessageStyle(stored.voice) : defaultMessageStyle;
    requireBaseRevision(hashContent(before));
    await stored.update(
      { voice, updatedAt: clockNow(), updatedBy: caller.userId },
      { transaction },
    );
    const detail = { fields: changedParts(before, voice) };
    await recordActivity({ actor: caller, action: "survival.voice.changed", detail }, transaction);
    const ask = { names: ["voice"], serverIds: "all", reason: "voice" } as const;
    await requestSync(ask, context, transaction);
    return readMessageStyle(context, transaction);
  });
}

const changedParts = (before: MessageStyle, after: MessageStyle): string[] =>
  (Object.keys(after) as (keyof MessageStyle)[]).filter(
    (part) => !isDeepStrictEqual(before[part], after[part]),
  );

/** Reads the site's message style; null if none is set. */
export async function readStoredMessageStyle(
  { SurvivalVoice }: Pick<Models, "SurvivalVoice">,
  transaction?: Transaction,
): Promise<MessageStyle | null> {
  const stored = await SurvivalVoice.findByPk(1, {
    raw: true,
    ...(transaction && { transaction }),
  });
  return stored?.voice ? completeMessageStyle(stored.voice) : null;
}

/** Sends the site's message style. If none is set, the server keeps its own style. */
export const messageStyleSync: SyncKind = {
  capability: "voice",
  prepare: async (_target, transaction): Promise<PreparedSync | null> => {
    const body = await readStoredMessageStyle(modelsOf(transaction), transaction);
    if (!body) return null;
    return {
      enters: ["voice"],
      send: async (control, order) => {
        await control.command(setMessageStyleCall, order, { body });
        return {};
      },
    };
  },
};
