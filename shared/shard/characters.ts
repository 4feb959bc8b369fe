import { QueryTypes } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import { BridgeError } from "../bridge/bridge-error.ts";
import type { Context } from "../context.ts";
import { forbidden, missing } from "../errors.ts";
import { getCharacter, getRoster, getVendors } from "./bridge-calls.ts";
import type { CharacterSheet, OwnVendors, RosterLine } from "./character-answers.ts";
import { accountKey } from "./links.ts";
import { readAccountKeys } from "./own-links.ts";
import { isoTime } from "./times.ts";

/** Who reads of a character or a game account. */
export interface Reader {
  readonly caller: Caller;
  /** Whether it need not be the caller's own. */
  readonly readsAny: boolean;
  readonly requestId: string;
}

export interface RosterView {
  readonly account: string;
  readonly characters: readonly (Omit<RosterLine, "lastLogin"> & {
    readonly lastLogin: string | null;
  })[];
}

/**
 * One of the reader's own characters, or any for whoever may.
 * @throws AppError forbidden for a character of somebody else and for none at all; missing where any
 * may be read
 */
export async function readCharacter(
  serial: string,
  reader: Reader,
  context: Context,
): Promise<CharacterSheet> {
  const keys = reader.readsAny ? null : await readAccountKeys(reader.caller.userId, context);
  if (keys && !(await isOnOneOf(keys, serial, reader, context))) throw notOwn("character");
  const sheet = await fetchSheet(serial, reader, context);
  if (keys && !keys.includes(accountKey(sheet?.account ?? ""))) throw notOwn("character");
  if (!sheet) throw missing("Unknown character");
  return sheet;
}

async function fetchSheet(
  serial: string,
  { requestId }: Reader,
  { shard, characterOwners }: Context,
): Promise<CharacterSheet | null> {
  const sheet = await orNull(
    shard.call((control) => control.read(getCharacter, { params: { serial }, requestId })),
  );
  if (!sheet) return null;
  refuseOther(serial, sheet.serial);
  characterOwners.noteCharacter(sheet.serial, sheet.account);
  return sheet;
}

/** Null for what the shard does not know. */
function orNull<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof BridgeError && error.code === "NOT_FOUND") return null;
    throw error;
  });
}

/**
 * Whether a character is on one of the accounts. Whom it belongs to is mostly known, so that
 * reading at random costs the shard nothing; else the accounts' own rosters say.
 */
async function isOnOneOf(
  keys: readonly string[],
  serial: string,
  reader: Reader,
  context: Context,
): Promise<boolean> {
  if (keys.length === 0) return false;
  const { characterOwners } = context;
  const owner = characterOwners.ownerOf(serial) ?? (await findOnlineOwner(serial, context));
  if (owner !== undefined) return keys.includes(owner);
  const asked = keys.filter((key) => !characterOwners.knowsWhole(key));
  await Promise.all(asked.map((key) => orNull(fetchRoster(key, reader, context))));
  const found = characterOwners.ownerOf(serial);
  return found !== undefined && keys.includes(found);
}

/** Whoever is in the world was named with their account by the shard's events. */
async function findOnlineOwner(
  serial: string,
  { sequelize }: Context,
): Promise<string | undefined> {
  const [row] = await sequelize.query<{ key: string | null }>(
    "select account_key as key from online_characters where serial = $1",
    { bind: [serial], type: QueryTypes.SELECT },
  );
  return row?.key ?? undefined;
}

/** The characters of a game account. @throws AppError forbidden for another's account */
export async function readRoster(
  account: string,
  reader: Reader,
  context: Context,
): Promise<RosterView> {
  await refuseForeign(account, reader, context);
  const roster = await fetchRoster(account, reader, context);
  return {
    account: roster.account,
    characters: roster.characters.map((character) => ({
      ...character,
      lastLogin: isoTime(character.lastLogin),
    })),
  };
}

async function fetchRoster(
  account: string,
  { requestId }: Reader,
  { shard, characterOwners }: Context,
) {
  const roster = await shard.call((control) =>
    control.read(getRoster, { params: { account }, requestId }),
  );
  refuseOther(account, roster.account);
  const serials = roster.characters.map(({ serial }) => serial);
  characterOwners.noteRoster(roster.account, serials);
  return roster;
}

/** The vendors of a game account. @throws AppError forbidden for another's account */
export async function readVendors(
  account: string,
  reader: Reader,
  context: Context,
): Promise<OwnVendors> {
  await refuseForeign(account, reader, context);
  const { requestId } = reader;
  const vendors = await context.shard.call((control) =>
    control.read(getVendors, { params: { account }, requestId }),
  );
  refuseOther(account, vendors.account);
  return vendors;
}

/** Who may read one thing may not read another that was answered in its place. */
function refuseOther(asked: string, told: string): void {
  if (accountKey(asked) === accountKey(told)) return;
  throw new BridgeError("MALFORMED", { reason: `asked for ${asked}, the shard told of ${told}` });
}

async function refuseForeign(
  account: string,
  { caller, readsAny }: Reader,
  context: Context,
): Promise<void> {
  if (readsAny) return;
  const keys = await readAccountKeys(caller.userId, context);
  if (!keys.includes(accountKey(account))) throw notOwn("account");
}

const notOwn = (what: string) => forbidden(`This ${what} is not linked to you`);
