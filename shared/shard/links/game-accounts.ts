import Joi from "joi";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { AppError, invalidFieldsError } from "../../platform/errors/errors.ts";
import { readSetting } from "../../platform/settings/settings.ts";
import {
  createAccountCall,
  getSignupModeCall,
  listLinksCall,
  setSignupModeCall,
} from "../calls/account-calls.ts";
import { type SignupMode, signupModes } from "../calls/bridge-answers.ts";
import type { ShardContext } from "../context.ts";
import { accountKey, type ShardAccountLink } from "../owners/link-mirror.ts";
import { runCommand, type CommandRequest } from "../staff/commands.ts";
import { storeLink } from "./link-account.ts";

/** @throws AppError signup_unavailable if the site's setting is off */
export async function requireOpenSignup(context: ShardContext): Promise<void> {
  if (await readSetting("game_account_signup", context)) return;
  throw new AppError("signup_unavailable", "Game account signup is unavailable");
}

export interface GameAccountRequest {
  readonly account: string;
  /** Sent only to the shard, which hashes it. */
  readonly password: string;
}

/**
 * Creates a game account. The shard links it to the caller if it can.
 * @throws AppError 403 if the shard's sign-up is closed, 409 if the name is taken
 */
export async function createGameAccount(
  { account, password }: GameAccountRequest,
  order: CommandRequest,
  context: ShardContext,
): Promise<{ account: string; linked: boolean }> {
  const body = { account, password, ip: order.address ?? "" };
  try {
    const { created } = await runCommand(
      {
        action: "shard.account",
        target: { type: "user", id: order.caller.userId },
        detail: { account },
        send: async (control, sent) => {
          const answer = await control.command(createAccountCall, sent, { body });
          const link = answer.linked ? await readNewLink(account, order, context) : null;
          return { created: answer, link };
        },
        keep: async ({ link }, transaction, askedAt) => {
          if (link) await storeLink(link, askedAt, transaction, context);
        },
        noted: ({ created: { linked } }) => ({ linked }),
      },
      order,
      context,
    );
    return { account: created.account, linked: created.linked };
  } catch (error) {
    throw toSignupError(error);
  }
}

/**
 * Reads the new link from the shard, because a retried command gets the first answer again and the account may
 * have another owner by now. Returns null if the read fails; the link event then stores the link later.
 */
async function readNewLink(
  account: string,
  { caller, requestId }: CommandRequest,
  { shard, log }: ShardContext,
): Promise<ShardAccountLink | null> {
  try {
    const { links } = await shard.call((control) => control.read(listLinksCall, { requestId }));
    const link = links.find((one) => accountKey(one.account) === accountKey(account));
    return link?.userId === caller.userId ? link : null;
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    log.warn(
      { bridgeCode: error.code, requestId },
      "the shard did not report the link of a new game account",
    );
    return null;
  }
}

function toSignupError(error: unknown): unknown {
  if (!(error instanceof BridgeError)) return error;
  if (error.code === "INVALID" && error.fault) return invalidFieldsError([error.fault]);
  if (error.code === "TAKEN") {
    return new AppError("name_taken", "Account name is taken", { cause: error });
  }
  return error;
}

/** The client's login packet has 30 bytes for a name and for a password; the game truncates longer ones. */
const maxLength = 30;

/** Account names become file names in the game. */
const forbiddenCharacters = '< > : " / \\ | ? *';

/** A schema for account names that the game accepts; errors name the broken rule. */
export const accountNameField = (): Joi.StringSchema =>
  Joi.string()
    .max(maxLength)
    .custom((name: string, helpers) => {
      if (!/^[\x21-\x7E]*$/.test(name)) return helpers.error("account.characters");
      if (/[<>:"/\\|?*]/.test(name)) return helpers.error("account.forbidden");
      return name.endsWith(".") ? helpers.error("account.end") : name;
    }, "the game's rules for account names")
    .messages({
      "account.characters":
        "{{#label}} must consist of ASCII letters, digits and punctuation without spaces",
      "account.forbidden": `{{#label}} must not contain any of ${forbiddenCharacters}`,
      "account.end": "{{#label}} must not end with a dot",
    });

/** A schema for passwords that the game accepts. */
export const accountPasswordField = (): Joi.StringSchema =>
  Joi.string()
    .max(maxLength)
    // The default error message would repeat the password.
    .pattern(/^[\x20-\x7E]*$/)
    .messages({
      "string.pattern.base":
        "{{#label}} must consist of ASCII letters, digits, punctuation and spaces",
    });

/** Asks the shard where players can create game accounts. */
export async function readSignupMode(
  requestId: string,
  { shard }: ShardContext,
): Promise<{ mode: SignupMode; modes: readonly SignupMode[] }> {
  const { mode } = await shard.call((control) => control.read(getSignupModeCall, { requestId }));
  return { mode, modes: signupModes };
}

export const changeSignupMode = (
  body: { readonly mode: SignupMode },
  order: CommandRequest,
  context: ShardContext,
): Promise<{ mode: SignupMode }> =>
  runCommand(
    {
      action: "shard.signup_mode",
      detail: { ...body },
      send: (control, sent) => control.command(setSignupModeCall, sent, { body }),
    },
    order,
    context,
  );
