import Joi from "joi";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { AppError, invalidFields } from "../../platform/errors/errors.ts";
import { readSetting } from "../../platform/settings/settings.ts";
import { type SignupMode, signupModes } from "../calls/bridge-answers.ts";
import { createAccount, getSignupMode, listLinks, setSignupMode } from "../calls/bridge-calls.ts";
import type { ShardContext } from "../context.ts";
import { accountKey, type LinkOnShard } from "../owners/link-mirror.ts";
import { carryOut, type ShardOrder } from "../staff/commands.ts";
import { keepLink } from "./link-account.ts";

/** @throws AppError forbidden while the site takes no sign-ups for the game */
export async function refuseClosedSignup(context: ShardContext): Promise<void> {
  if (await readSetting("game_account_signup", context)) return;
  throw new AppError("signup_unavailable", "Game account signup is unavailable");
}

export interface GameAccountRequest {
  readonly account: string;
  /** Goes to the shard, which hashes it, and nowhere else. */
  readonly password: string;
}

/**
 * Creates a game account, which the shard links to the caller where it can.
 * @throws AppError 403 while the shard takes no sign-ups, 409 for a name that is taken
 */
export async function createGameAccount(
  { account, password }: GameAccountRequest,
  order: ShardOrder,
  context: ShardContext,
): Promise<{ account: string; linked: boolean }> {
  const body = { account, password, ip: order.address ?? "" };
  try {
    const { created } = await carryOut(
      {
        action: "shard.account",
        target: { type: "user", id: order.caller.userId },
        detail: { account },
        send: async (control, sent) => {
          const answer = await control.command(createAccount, sent, { body });
          const link = answer.linked ? await linkOf(account, order, context) : null;
          return { created: answer, link };
        },
        keep: async ({ link }, transaction, askedAt) => {
          if (link) await keepLink(link, askedAt, transaction, context);
        },
        noted: ({ created: { linked } }) => ({ linked }),
      },
      order,
      context,
    );
    return { account: created.account, linked: created.linked };
  } catch (error) {
    throw inWordsOfSignup(error);
  }
}

/**
 * The new link as the shard has it now: a repeated order is answered as it was the first time, when
 * the account may be another user's by now. The account exists even where the list cannot be read,
 * and the link's event brings it to the mirror too.
 */
async function linkOf(
  account: string,
  { caller, requestId }: ShardOrder,
  { shard, log }: ShardContext,
): Promise<LinkOnShard | null> {
  try {
    const { links } = await shard.call((control) => control.read(listLinks, { requestId }));
    const link = links.find((one) => accountKey(one.account) === accountKey(account));
    return link?.userId === caller.userId ? link : null;
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    log.warn({ bridgeCode: error.code, requestId }, "the link of a new game account was not read");
    return null;
  }
}

function inWordsOfSignup(error: unknown): unknown {
  if (!(error instanceof BridgeError)) return error;
  if (error.code === "INVALID" && error.fault) return invalidFields([error.fault]);
  if (error.code === "TAKEN") {
    return new AppError("name_taken", "Account name is taken", { cause: error });
  }
  return error;
}

/** The login packet of the game's client has thirty bytes for each; the game would cut the rest. */
const longest = 30;

/** The game keeps accounts in files by their name. */
const forbidden = '< > : " / \\ | ? *';

/** A name the game takes for an account; refusals say which of its rules was broken. */
export const accountName = (): Joi.StringSchema =>
  Joi.string()
    .max(longest)
    .custom((name: string, helpers) => {
      if (!/^[\x21-\x7E]*$/.test(name)) return helpers.error("account.characters");
      if (/[<>:"/\\|?*]/.test(name)) return helpers.error("account.forbidden");
      return name.endsWith(".") ? helpers.error("account.end") : name;
    }, "the game's rules for account names")
    .messages({
      "account.characters": "{{#label}} must be letters, digits and signs of ASCII without spaces",
      "account.forbidden": `{{#label}} must hold none of ${forbidden}`,
      "account.end": "{{#label}} must not end with a dot",
    });

/** A password the game takes. */
export const accountPassword = (): Joi.StringSchema =>
  Joi.string()
    .max(longest)
    // A pattern's own message would repeat what was typed.
    .pattern(/^[\x20-\x7E]*$/)
    .messages({ "string.pattern.base": "{{#label}} must be letters, digits and signs of ASCII" });

/** Where the shard takes new game accounts from, as it says itself. */
export async function readSignupMode(
  requestId: string,
  { shard }: ShardContext,
): Promise<{ mode: SignupMode; modes: readonly SignupMode[] }> {
  const { mode } = await shard.call((control) => control.read(getSignupMode, { requestId }));
  return { mode, modes: signupModes };
}

export const changeSignupMode = (
  body: { readonly mode: SignupMode },
  order: ShardOrder,
  context: ShardContext,
): Promise<{ mode: SignupMode }> =>
  carryOut(
    {
      action: "shard.signup_mode",
      detail: { ...body },
      send: (control, sent) => control.command(setSignupMode, sent, { body }),
    },
    order,
    context,
  );
