import type { Caller } from "../../platform/access/caller.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { Context } from "../../platform/context.ts";
import { AppError, notFoundError } from "../../platform/errors/errors.ts";
import { getCharacterCall, getRosterCall, getVendorsCall } from "../calls/account-calls.ts";
import type { CharacterSheet, OwnVendors, RosterLine } from "../calls/character-answers.ts";
import type { ShardContext } from "../context.ts";
import { toIsoTime } from "../kinds/fields.ts";
import { accountKey } from "../owners/link-mirror.ts";
import { readAccountKeys } from "../owners/own-links.ts";

/** The caller who reads a character or a game account. */
export interface CharacterReader {
  readonly caller: Caller;
  /** True if the caller may read characters and accounts of other users. */
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
 * Reads a character of the caller, or any character if `readsAny` is set.
 * @throws AppError 403 if the character is not the caller's or does not exist; with `readsAny`, 404 if it does
 * not exist
 */
export async function readCharacter(
  serial: string,
  reader: CharacterReader,
  context: ShardContext,
): Promise<CharacterSheet> {
  const keys = reader.readsAny ? null : await readAccountKeys(reader.caller.userId, context);
  if (keys && !(await isOnOneOf(keys, serial, reader, context))) throw notLinkedError("character");
  const sheet = await fetchSheet(serial, reader, context);
  if (keys && !keys.includes(accountKey(sheet?.account ?? ""))) throw notLinkedError("character");
  if (!sheet) throw notFoundError("Unknown character");
  return sheet;
}

/** Asks the shard for the game account of a character. @throws {BridgeError} NOT_FOUND */
export async function readAccountOf(
  serial: string,
  asking: Pick<CharacterReader, "requestId">,
  context: ShardContext,
): Promise<string> {
  const sheet = await fetchSheet(serial, asking, context);
  if (!sheet) throw new BridgeError("NOT_FOUND");
  return sheet.account;
}

async function fetchSheet(
  serial: string,
  { requestId }: Pick<CharacterReader, "requestId">,
  { shard, characterOwners }: ShardContext,
): Promise<CharacterSheet | null> {
  const sheet = await nullIfNotFound(
    shard.call((control) => control.read(getCharacterCall, { params: { serial }, requestId })),
  );
  if (!sheet) return null;
  requireSameSubject(serial, sheet.serial);
  characterOwners.storeCharacter(sheet.serial, sheet.account);
  return sheet;
}

/** Awaits a call and returns null for the error NOT_FOUND. */
function nullIfNotFound<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof BridgeError && error.code === "NOT_FOUND") return null;
    throw error;
  });
}

/**
 * Returns true if a character is on one of the accounts. If the character's account is unknown, it asks the
 * shard for the rosters of these accounts. Rosters are cached, so further guessed serials cause no calls.
 */
async function isOnOneOf(
  keys: readonly string[],
  serial: string,
  reader: CharacterReader,
  context: ShardContext,
): Promise<boolean> {
  if (keys.length === 0) return false;
  const { characterOwners } = context;
  characterOwners.clearOnRestart(await readBootId(context));
  const owner = characterOwners.ownerOf(serial) ?? (await findOnlineOwner(serial, context));
  if (owner !== undefined) return keys.includes(owner);
  const asked = keys.filter((key) => !characterOwners.knowsRosterOf(key));
  await Promise.all(asked.map((key) => nullIfNotFound(fetchRoster(key, reader, context))));
  const found = characterOwners.ownerOf(serial);
  return found !== undefined && keys.includes(found);
}

/** Returns the id of the game process from the last stored hello. */
async function readBootId({ models }: Context): Promise<string | null> {
  const attributes = ["bootId"];
  const source = await models.IngestSource.findByPk("shard", { attributes, raw: true });
  return source?.bootId ?? null;
}

/** Returns the account of an online character, as the shard's events reported it. */
async function findOnlineOwner(serial: string, { models }: Context): Promise<string | undefined> {
  const attributes = ["accountKey"];
  const found = await models.OnlineCharacter.findByPk(serial, { attributes, raw: true });
  return found?.accountKey ?? undefined;
}

/** Reads the characters of a game account. @throws AppError forbidden for another user's account */
export async function readRoster(
  account: string,
  reader: CharacterReader,
  context: ShardContext,
): Promise<RosterView> {
  await requireOwnAccount(account, reader, context);
  const roster = await fetchRoster(account, reader, context);
  return {
    account: roster.account,
    characters: roster.characters.map((character) => ({
      ...character,
      lastLogin: toIsoTime(character.lastLogin),
    })),
  };
}

async function fetchRoster(
  account: string,
  { requestId }: CharacterReader,
  { shard, characterOwners }: ShardContext,
) {
  const roster = await shard.call((control) =>
    control.read(getRosterCall, { params: { account }, requestId }),
  );
  requireSameSubject(account, roster.account);
  const serials = roster.characters.map(({ serial }) => serial);
  characterOwners.storeRoster(roster.account, serials);
  return roster;
}

/** Reads the vendors of a game account. @throws AppError forbidden for another user's account */
export async function readVendors(
  account: string,
  reader: CharacterReader,
  context: ShardContext,
): Promise<OwnVendors> {
  await requireOwnAccount(account, reader, context);
  const { requestId } = reader;
  const vendors = await context.shard.call((control) =>
    control.read(getVendorsCall, { params: { account }, requestId }),
  );
  requireSameSubject(account, vendors.account);
  return vendors;
}

/** Throws if the answer is about another object than `asked`: the caller's rights were checked for `asked` only. */
function requireSameSubject(asked: string, told: string): void {
  if (accountKey(asked) === accountKey(told)) return;
  throw new BridgeError("MALFORMED", {
    reason: `the site asked for ${asked}, and the shard answered for ${told}`,
  });
}

async function requireOwnAccount(
  account: string,
  { caller, readsAny }: CharacterReader,
  context: ShardContext,
): Promise<void> {
  if (readsAny) return;
  const keys = await readAccountKeys(caller.userId, context);
  if (!keys.includes(accountKey(account))) throw notLinkedError("account");
}

const notLinkedError = (what: string) =>
  new AppError("account_not_linked", `This ${what} is not linked to you`);

/** Reads the online characters of a user's game accounts. */
export async function readOwnCharacters(
  userId: number,
  { models }: Pick<Context, "models">,
): Promise<object[]> {
  return models.OnlineCharacter.findAll({
    attributes: ["serial", "name", "map", "x", "y", "z", "region"],
    include: [{ association: "link", attributes: [], where: { userId } }],
    order: ["serial"],
    raw: true,
  });
}
