import Joi from "joi";

import { field } from "../../bridge/payload-fields.ts";
import { count, flag, listOf, madeUpId, text, textOrNull } from "../values/answer-parts.ts";
import { serial } from "../values/serial.ts";

/** What the sidecar tells of itself and the game behind it. */
export interface Health {
  readonly protocol: number;
  readonly pluginConnected: boolean;
  readonly bootId: string | null;
  readonly uptimeSec: number;
  readonly capabilities: string[];
}

export const signupModes = ["disabled", "website", "hybrid", "game"] as const;
export type SignupMode = (typeof signupModes)[number];

interface Created {
  readonly account: string;
  readonly linked: boolean;
}

interface Redeemed {
  readonly account: string;
  /** The account's access level in the game. */
  readonly access: string;
  readonly linkedAt: number;
}

interface Link {
  readonly account: string;
  readonly userId: number;
  readonly linkedAt: number;
}

interface Unlinked {
  readonly account: string;
  readonly unlinked: boolean;
}

export interface TownCrierEntry {
  readonly id: string;
  readonly lines: string[];
  readonly expiresAt: number;
}

/** Who handles or answers a page: a name, or what the shard tells of a character. */
type Someone = string | object | null;

export interface HelpPage {
  readonly id: string;
  readonly type: string;
  readonly sender: { readonly serial: string; readonly name: string };
  readonly message: string;
  readonly location: object | null;
  readonly sentAt: number;
  readonly handler: Someone;
  readonly responses: { readonly by: Someone; readonly message: string; readonly at: number }[];
}

/** Commands answer whether they were carried out, and may say more. */
export interface Done {
  readonly ok: boolean;
  readonly [field: string]: unknown;
}

export const healthAnswer = Joi.object<Health, true>({
  protocol: field(count, "Version of the protocol."),
  pluginConnected: field(flag, "Whether the game process runs."),
  bootId: field(textOrNull, "Id of the game process. Null without one."),
  uptimeSec: field(Joi.number(), "Seconds since the sidecar started."),
  capabilities: field(listOf(text), "Families of calls that the plugin has."),
});

/** A body that says nothing, or is not there. */
export const nothing = Joi.object<object>();

export const signupModeAnswer = Joi.object<{ mode: SignupMode }>({
  mode: field(Joi.string().valid(...signupModes), "Where accounts are created."),
});

const account = field(text, "Game account, as the game spells it.");

export const createdAnswer = Joi.object<Created, true>({
  account,
  linked: field(flag, "Whether the account is linked to the user who acts."),
});

const linkedAt = field(count, "When it was linked, in epoch milliseconds.");

export const redeemedAnswer = Joi.object<Redeemed, true>({
  account,
  access: field(text, "Access level of the account, such as `Player`."),
  linkedAt,
});

const link = Joi.object<Link, true>({
  account,
  // A user id is a 32-bit number in every table of ours.
  userId: field(count.max(2 ** 31 - 1), "Id of the user of the site."),
  linkedAt,
});

export const linksAnswer = Joi.object<{ links: Link[] }, true>({
  links: field(listOf(link), "All links of game accounts to users of the site."),
});

export const unlinkedAnswer = Joi.object<Unlinked, true>({
  account,
  unlinked: field(flag, "Whether there was a link."),
});

export const doneAnswer = Joi.object<Done>({
  ok: field(flag, "Whether it was done."),
}).unknown();

const entryFields = {
  id: field(madeUpId, "Id of the entry, which the plugin makes up."),
  lines: field(listOf(text), "Lines that criers call."),
  expiresAt: field(count, "When the entry ends, in epoch milliseconds."),
};

export const townCrierEntry = Joi.object<TownCrierEntry, true>(entryFields);

export const townCrierAnswer = Joi.object<{ entries: TownCrierEntry[] }, true>({
  entries: field(listOf(townCrierEntry), "What the town criers call now."),
});

export const removedAnswer = Joi.object<{ id: string; removed: boolean }, true>({
  id: entryFields.id,
  removed: field(flag, "Whether there was such an entry."),
});

const someone = Joi.alternatives(text, Joi.object().unknown()).allow(null);

const response = Joi.object({
  by: field(someone, "Who answered: a name, or an object about the character."),
  message: field(text, "The answer."),
  at: field(count, "When it was sent, in epoch milliseconds."),
});

const helpPage = Joi.object<HelpPage>({
  id: field(
    madeUpId,
    "Id of the page, which the plugin makes up and keeps while the page is open.",
  ),
  type: field(text, "Type of the page in the game, such as `Stuck`."),
  sender: field(
    Joi.object({
      serial: field(serial(), "Serial of the character."),
      name: field(text, "Name of the character."),
    }),
    "Character who asks for help.",
  ),
  message: field(text, "What the player wrote."),
  location: field(Joi.object().unknown().allow(null), "Place: `map`, `x`, `y`, `z` and `region`."),
  sentAt: field(count, "When it was sent, in epoch milliseconds."),
  handler: field(someone, "Who handles the page: a name, or an object about the character."),
  responses: field(listOf(response), "Answers to the player."),
});

export const pagesAnswer = Joi.object<{ pages: HelpPage[] }, true>({
  pages: field(listOf(helpPage), "All help pages that are open."),
});
