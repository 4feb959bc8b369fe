import { emitAuditEvent } from "../happenings/accounts.ts";
import { logOut } from "../happenings/presence.ts";
import { auditWebCommand } from "../happenings/staff.ts";
import { isStaffAccount } from "../world/people.ts";
import type { Account } from "../world/people.ts";
import type { ShardWorld } from "../world/world.ts";
import { accountOf } from "./accounts.ts";
import { objectBody, optionalInteger, optionalText, readRequiredText } from "./input.ts";
import { createOkAnswer, refuse, refuseField, refuseMissing } from "./refusal.ts";
import { command } from "./route.ts";
import type { ShardCall, ControlRoute } from "./route.ts";

/** The yellow in which the game shows system messages. */
const systemHue = 0x35;

export const moderationRoutes: readonly ControlRoute[] = [
  command("POST", "/v1/kick", 7, (call, { world }) => createOkAnswer(kick(call, world))),
  command("POST", "/v1/ban", 7, (call, { world }) => createOkAnswer(ban(call, world))),
  command("POST", "/v1/unban", 7, (call, { world }) => createOkAnswer(unban(call, world))),
  command("POST", "/v1/broadcast", 7, (call, { world }) => createOkAnswer(broadcast(call, world))),
];

interface Target {
  readonly account: Account;
  readonly serial: string | null;
}

/**
 * Finds the target of a command, by its account or by the serial of a character. Commands of the
 * site cannot target staff.
 */
function targetOf(call: ShardCall, world: ShardWorld): Target {
  const fields = objectBody(call.body);
  const name = optionalText(fields, "account", 64);
  const serial = optionalText(fields, "serial", 10) ?? null;
  if (name === undefined && serial === null) throw refuseField("account", "or serial is required");
  const bySerial = serial === null ? undefined : world.characters.get(serial);
  if (serial !== null && bySerial === undefined) throw refuseMissing();
  const account = name === undefined ? (bySerial?.account as Account) : accountOf(world, name);
  if (bySerial !== undefined && bySerial.account !== account) throw refuseMissing();
  if (isStaffAccount(account)) throw refuse(403, "PROTECTED");
  return { account, serial };
}

function kick(call: ShardCall, world: ShardWorld): Record<string, unknown> {
  const { account, serial } = targetOf(call, world);
  const kicked = disconnect(call, world, account, serial);
  report(call, "kick", "", account.name);
  return { ok: true, account: account.name, kicked };
}

function ban(call: ShardCall, world: ShardWorld): Record<string, unknown> {
  const { account } = targetOf(call, world);
  const fields = objectBody(call.body);
  const range = { least: 0, most: 10 * 365 * 86_400, byDefault: 0 };
  const durationSec = optionalInteger(fields, "durationSec", range);
  const reason = optionalText(fields, "reason", 256) ?? "";
  const until = durationSec === 0 ? null : call.scene.now() + durationSec * 1_000;
  account.ban = { until, reason };
  disconnect(call, world, account, null);
  report(call, "ban", `${durationSec} ${reason}`.trim(), account.name);
  tell(call, account, "banned", reason);
  return { ok: true, account: account.name, until };
}

function unban(call: ShardCall, world: ShardWorld): Record<string, unknown> {
  const account = accountOf(world, readRequiredText(objectBody(call.body), "account", 1, 64));
  const wasBanned = account.ban !== null;
  account.ban = null;
  report(call, "unban", "", account.name);
  if (wasBanned) tell(call, account, "unbanned", null);
  return { ok: true, account: account.name, wasBanned };
}

function broadcast(call: ShardCall, world: ShardWorld): Record<string, unknown> {
  const fields = objectBody(call.body);
  const said = readRequiredText(fields, "text", 1, 256);
  const hue = optionalInteger(fields, "hue", { least: 0, most: 3_000, byDefault: systemHue });
  call.scene.emit("world.broadcast", { text: said, hue, access: "Player" });
  report(call, "broadcast", said, null);
  return { ok: true, recipients: world.online.size };
}

/**
 * Disconnects the character with this serial. With null, disconnects all characters of the account.
 */
function disconnect(
  call: ShardCall,
  world: ShardWorld,
  account: Account,
  serial: string | null,
): number {
  const online = account.characters.filter(
    (one) => world.online.has(one.serial) && (serial === null || one.serial === serial),
  );
  for (const character of online) logOut(call.scene, character, "kicked");
  return online.length;
}

function report(call: ShardCall, name: string, args: string, target: string | null): void {
  if (call.actor !== null) auditWebCommand(call.scene, call.actor, { command: name, args, target });
}

function tell(call: ShardCall, account: Account, action: string, detail: string | null): void {
  emitAuditEvent(call.scene, account, { action, by: call.actor?.username ?? null, detail });
}
