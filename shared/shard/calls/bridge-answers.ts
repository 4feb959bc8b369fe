import Joi from "joi";

import { field } from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { count, flag, listOf, opaqueId, text, textOrNull } from "./answer-parts.ts";

export interface ShardHealth {
  readonly protocol: number;
  readonly pluginConnected: boolean;
  readonly bootId: string | null;
  readonly uptimeSec: number;
  readonly capabilities: string[];
}

export const signupModes = ["disabled", "website", "hybrid", "game"] as const;
export type SignupMode = (typeof signupModes)[number];

interface CreatedAccount {
  readonly account: string;
  readonly linked: boolean;
}

interface RedeemedLink {
  readonly account: string;
  readonly access: string;
  readonly linkedAt: number;
}

interface Link {
  readonly account: string;
  readonly userId: number;
  readonly linkedAt: number;
}

interface UnlinkAnswer {
  readonly account: string;
  readonly unlinked: boolean;
}

export interface TownCrierEntry {
  readonly id: string;
  readonly lines: string[];
  readonly expiresAt: number;
}

/** The staff member who handles or answers a page: a name, or an object that describes a character. */
type StaffReference = string | object | null;

export interface HelpPage {
  readonly id: string;
  readonly type: string;
  readonly sender: { readonly serial: string; readonly name: string };
  readonly message: string;
  readonly location: object | null;
  readonly sentAt: number;
  readonly handler: StaffReference;
  readonly responses: {
    readonly by: StaffReference;
    readonly message: string;
    readonly at: number;
  }[];
}

/** The answer to a command; the shard may add fields. */
export interface CommandResult {
  readonly ok: boolean;
  readonly [field: string]: unknown;
}

export const healthAnswer = Joi.object<ShardHealth, true>({
  protocol: field(count, "Protocol version of the sidecar."),
  pluginConnected: field(
    flag,
    "Whether the plugin in the game process is connected to the sidecar.",
  ),
  bootId: field(textOrNull, "Id of the game process. Null if no game process runs."),
  uptimeSec: field(Joi.number(), "Number of seconds since the sidecar started."),
  capabilities: field(listOf(text), "Groups of calls that the plugin has."),
});

/** An empty or missing body. */
export const emptyAnswer = Joi.object<object>();

export const signupModeAnswer = Joi.object<{ mode: SignupMode }>({
  mode: field(
    Joi.string().valid(...signupModes),
    "Where players can create game accounts: `website` (on the site), `game` (in the game), " +
      "`hybrid` (both) or `disabled` (nowhere).",
  ),
});

const account = field(text, "Name of the game account, as the game spells it.");

export const createAccountAnswer = Joi.object<CreatedAccount, true>({
  account,
  linked: field(flag, "Whether the account is now linked to the user who makes the call."),
});

const linkedAt = field(count, "When the account was linked, in epoch milliseconds.");

export const redeemLinkAnswer = Joi.object<RedeemedLink, true>({
  account,
  access: field(text, "Access level of the account, such as `Player`."),
  linkedAt,
});

const link = Joi.object<Link, true>({
  account,
  // User ids are 32-bit integers in every table.
  userId: field(count.max(2 ** 31 - 1), "Id of the linked user of the site."),
  linkedAt,
});

export const linksAnswer = Joi.object<{ links: Link[] }, true>({
  links: field(listOf(link), "All links of game accounts to users of the site."),
});

export const unlinkAnswer = Joi.object<UnlinkAnswer, true>({
  account,
  unlinked: field(flag, "Whether the account was linked before the call."),
});

export const commandAnswer = Joi.object<CommandResult>({
  ok: field(flag, "Whether the game carried out the call."),
}).unknown();

const entryFields = {
  id: field(opaqueId, "Id of the entry, made up by the plugin."),
  lines: field(listOf(text), "Lines that the town criers call."),
  expiresAt: field(count, "When the town criers stop calling the entry, in epoch milliseconds."),
};

export const townCrierEntry = Joi.object<TownCrierEntry, true>(entryFields);

export const townCrierAnswer = Joi.object<{ entries: TownCrierEntry[] }, true>({
  entries: field(listOf(townCrierEntry), "Entries that the town criers call now."),
});

export const removeTownCrierAnswer = Joi.object<{ id: string; removed: boolean }, true>({
  id: entryFields.id,
  removed: field(flag, "Whether the entry existed before the call."),
});

const staffReference = Joi.alternatives(text, Joi.object().unknown()).allow(null);

const response = Joi.object({
  by: field(
    staffReference,
    "Member of the game's staff who answered: a name, or an object that describes the character. " +
      "Null if unknown.",
  ),
  message: field(text, "Text of the answer."),
  at: field(count, "When the message was sent, in epoch milliseconds."),
});

const helpPage = Joi.object<HelpPage>({
  id: field(
    opaqueId,
    "Id of the help page, made up by the plugin. It must not change while the page is open.",
  ),
  type: field(text, "Type of the help page in the game, such as `Stuck`."),
  sender: field(
    Joi.object({
      serial: field(serialField(), "Serial of the character."),
      name: field(text, "Name of the character."),
    }),
    "Character whose player asks for help.",
  ),
  message: field(text, "Message of the player."),
  location: field(
    Joi.object().unknown().allow(null),
    "Place of the character: an object with `map`, `x`, `y`, `z` and `region`. Null if unknown.",
  ),
  sentAt: field(count, "When the message was sent, in epoch milliseconds."),
  handler: field(
    staffReference,
    "Member of the game's staff who handles the help page: a name, or an object that describes " +
      "the character. Null if nobody does.",
  ),
  responses: field(listOf(response), "Answers that the player received, oldest first."),
});

export const helpPagesAnswer = Joi.object<{ pages: HelpPage[] }, true>({
  pages: field(listOf(helpPage), "All open help pages."),
});
