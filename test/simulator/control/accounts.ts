import { linkAccount, openAccount, unlinkAccount } from "../happenings/accounts.ts";
import { buildRuleset } from "../happenings/server.ts";
import { createAccount, isStaffAccount } from "../world/people.ts";
import type { Account } from "../world/people.ts";
import { characterSheet, rosterRow } from "../world/sheet.ts";
import { ownVendorRow } from "../world/vendors.ts";
import { findAccount, signupModes } from "../world/world.ts";
import type { ShardWorld } from "../world/world.ts";
import { objectBody, oneOf, readRequiredText } from "./input.ts";
import { createOkAnswer, refuse, refuseField, refuseMissing } from "./refusal.ts";
import { command, readPathParam, read } from "./route.ts";
import type { ShardCall, ControlRoute } from "./route.ts";

/**
 * The maximum length of a name and of a password: the login packet of the client has 30 bytes for
 * each.
 */
const longestName = 30;

export const accountRoutes: readonly ControlRoute[] = [
  command("POST", "/v1/accounts", 7, (call, { world }) => ({
    status: 201,
    body: signUp(call, world),
  })),
  read("GET", "/v1/signup-mode", 7, (_, { world }) => createOkAnswer({ mode: world.signupMode })),
  command("PUT", "/v1/signup-mode", 7, ({ body, scene }, { world }) => {
    world.signupMode = oneOf(objectBody(body), "mode", signupModes);
    scene.emit("world.ruleset", buildRuleset(world));
    return createOkAnswer({ mode: world.signupMode });
  }),
  command("POST", "/v1/links/redeem", 7, (call, { world }) => createOkAnswer(redeem(call, world))),
  read("GET", "/v1/links", 7, (_, { world }) => createOkAnswer({ links: world.links.values() })),
  command("DELETE", "/v1/links/:account", 7, (call, { world }) => {
    const account = accountOf(world, readPathParam(call, "account"));
    if (isStaffAccount(account)) throw refuse(403, "PROTECTED");
    const unlinked = unlinkAccount(call.scene, account.name, "site");
    return createOkAnswer({ account: account.name, unlinked });
  }),
  read("GET", "/v1/accounts/:account/roster", 7, (call, { world }) => {
    const account = accountOf(world, readPathParam(call, "account"));
    const characters = account.characters.map((one) => rosterRow(one, world));
    return createOkAnswer({ account: account.name, characters });
  }),
  read("GET", "/v1/accounts/:account/vendors", 7, (call, { world }) => {
    const account = accountOf(world, readPathParam(call, "account"));
    const own = world.vendors.values().filter((one) => one.owner?.account === account);
    return createOkAnswer({ account: account.name, vendors: own.map(ownVendorRow) });
  }),
  read("GET", "/v1/characters/:serial", 7, (call, { world }) => {
    const character = world.characters.get(readPathParam(call, "serial"));
    if (character === undefined) throw refuseMissing();
    return createOkAnswer(characterSheet(character, world));
  }),
];

export function accountOf(world: ShardWorld, name: string): Account {
  const account = findAccount(world, name);
  if (account === undefined) throw refuseMissing();
  return account;
}

function signUp({ body, actor, scene }: ShardCall, world: ShardWorld): Record<string, unknown> {
  const { name, ip } = readSignUp(body);
  if (world.signupMode !== "website" && world.signupMode !== "hybrid") {
    throw refuse(403, "SIGNUP_CLOSED");
  }
  if (findAccount(world, name) !== undefined) throw refuse(409, "TAKEN");
  if (!isLoopback(ip) && opened(world, ip) >= world.accountsPerIp) throw refuse(429, "LIMIT");
  const made = createAccount({
    name,
    access: "Player",
    random: scene.random,
    createdAt: scene.now(),
  });
  const account = { ...made, ip };
  openAccount(scene, account, { via: "website", by: actor?.username ?? null });
  const userId = actor?.userId ?? null;
  if (userId !== null) linkAccount(scene, account, userId, "site");
  return { account: account.name, linked: userId !== null };
}

/**
 * Reads a request for an account. Validates the password, but does not return it, because the game stores only a
 * hash.
 */
function readSignUp(body: unknown): { name: string; ip: string } {
  const fields = objectBody(body);
  const name = readRequiredText(fields, "account", 1, longestName);
  const password = readRequiredText(fields, "password", 1, longestName);
  if (!isAccountName(name)) throw refuseField("account", "holds a character that is not allowed");
  if (!/^[\x20-\x7E]+$/.test(password)) throw refuseField("password", "must be printable ASCII");
  return { name, ip: readRequiredText(fields, "ip", 2, 45) };
}

/**
 * Returns true if the game accepts the name: printable characters that may occur in file names, and
 * no dot at the end.
 */
const isAccountName = (name: string): boolean =>
  /^[\x21-\x7E]+$/.test(name) && !/[<>:"/\\|?*]/.test(name) && !name.endsWith(".");

const isLoopback = (ip: string): boolean => ip.startsWith("127.") || ip === "::1";

const opened = (world: ShardWorld, ip: string): number =>
  world.accounts.values().filter((account) => account.ip === ip).length;

/** Redeems a link code. Redeeming a code again for the same user changes nothing. */
function redeem({ body, actor, scene }: ShardCall, world: ShardWorld): Record<string, unknown> {
  const code = readRequiredText(objectBody(body), "code", 1, 64).trim();
  const account = world.codes.get(code);
  if (account === undefined) throw refuseMissing();
  const userId = actor?.userId ?? null;
  if (userId === null) throw refuseField("X-Bridge-Actor", "names no user");
  const link = world.links.get(account.name.toLowerCase());
  if (link !== undefined && link.userId !== userId) throw refuse(409, "TAKEN");
  world.codes.delete(code);
  if (link === undefined) linkAccount(scene, account, userId, "player");
  const linkedAt = world.links.get(account.name.toLowerCase())?.linkedAt ?? scene.now();
  return { account: account.name, access: account.access, linkedAt };
}
