import Joi from "joi";

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
  protocol: count,
  pluginConnected: flag,
  bootId: textOrNull,
  uptimeSec: Joi.number(),
  capabilities: listOf(text),
});

/** A body that says nothing, or is not there. */
export const nothing = Joi.object<object>();

export const signupModeAnswer = Joi.object<{ mode: SignupMode }>({
  mode: Joi.string().valid(...signupModes),
});

export const createdAnswer = Joi.object<Created, true>({ account: text, linked: flag });

export const redeemedAnswer = Joi.object<Redeemed, true>({
  account: text,
  access: text,
  linkedAt: count,
});

const link = Joi.object<Link, true>({
  account: text,
  // A user id is a 32-bit number in every table of ours.
  userId: count.max(2 ** 31 - 1),
  linkedAt: count,
});

export const linksAnswer = Joi.object<{ links: Link[] }, true>({ links: listOf(link) });

export const unlinkedAnswer = Joi.object<Unlinked, true>({ account: text, unlinked: flag });

export const doneAnswer = Joi.object<Done>({ ok: flag }).unknown();

export const townCrierEntry = Joi.object<TownCrierEntry, true>({
  id: madeUpId,
  lines: listOf(text),
  expiresAt: count,
});

export const townCrierAnswer = Joi.object<{ entries: TownCrierEntry[] }, true>({
  entries: listOf(townCrierEntry),
});

export const removedAnswer = Joi.object<{ id: string; removed: boolean }, true>({
  id: madeUpId,
  removed: flag,
});

const someone = Joi.alternatives(text, Joi.object().unknown()).allow(null);

const helpPage = Joi.object<HelpPage>({
  id: madeUpId,
  type: text,
  sender: Joi.object({ serial: serial(), name: text }),
  message: text,
  location: Joi.object().unknown().allow(null),
  sentAt: count,
  handler: someone,
  responses: listOf(Joi.object({ by: someone, message: text, at: count })),
});

export const pagesAnswer = Joi.object<{ pages: HelpPage[] }, true>({ pages: listOf(helpPage) });
