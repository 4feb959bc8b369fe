import type { CommandOutcome } from "../../platform/plugin/commands.ts";
import { answerMs, readBans } from "./console-answers.ts";
import type { ConsoleConversation } from "./console-conversation.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import { buildCommand, buildSay, plain, toConsoleText } from "./console-text.ts";
import { done, failureOf, noAnswer, refuse, steamIdOf } from "./console-types.ts";
import type { ConsoleState } from "./frame-buffer.ts";

/** The objects of a connection that calls use. */
export interface CallParts {
  readonly questions: ConsoleQuestions;
  readonly conversation: ConsoleConversation;
  readonly state: ConsoleState;
}

/** Longest ban in seconds. The game reads a larger number as the time at which the ban ends. */
const longestBanSec = 315_360_000;
const longestReason = 200;

const invalidId = (): CommandOutcome => refuse("INVALID", "must be a Steam id", "steamId");

const missingPlayer = (): CommandOutcome => refuse("NOT_FOUND", "the player is not on the server");

/** Shows a message to all players. The console does not report how many received it. */
export async function showAnnouncement(
  body: object | null,
  { questions, state }: CallParts,
): Promise<CommandOutcome> {
  const { message } = (body ?? {}) as { readonly message?: unknown };
  const command = typeof message === "string" ? buildSay(message) : null;
  if (command === null) return refuse("INVALID", "has no text that the console takes", "message");
  const answer = await questions.run(command, answerMs);
  if (answer === null) return noAnswer();
  return failureOf(answer) ?? done({ delivered: state.players.sessions.length });
}

export async function kickPlayer(
  body: object | null,
  { questions, conversation, state }: CallParts,
): Promise<CommandOutcome> {
  const steamId = steamIdOf(body);
  if (steamId === null) return invalidId();
  // For an absent player, the console would kick a player whose name contains the digits of the id.
  const { players } = state;
  if (!players.has(steamId) && !(await conversation.refreshPlayers())) {
    return refuse("SHARD_DOWN", "the console did not answer with the list of players");
  }
  if (!players.has(steamId)) return missingPlayer();
  const reason = reasonOf(body);
  const command = buildCommand(
    "kick",
    reason === null ? [plain(steamId)] : [plain(steamId), reason],
  );
  const answer = command && (await questions.run(command, answerMs));
  if (answer === null) return noAnswer();
  if (/^Player not found/i.test(answer)) return missingPlayer();
  return failureOf(answer) ?? done();
}

function reasonOf(body: object | null): string | null {
  const { reason } = (body ?? {}) as { readonly reason?: unknown };
  return typeof reason === "string" ? toConsoleText(reason, longestReason) : null;
}

/** Bans a player. For a borrowed game, Rust also bans the owner, whose id the answer contains. */
export async function banPlayer(
  body: object | null,
  { questions, state }: CallParts,
): Promise<CommandOutcome> {
  const ban = readBan(body, state);
  if ("status" in ban) return ban;
  const ownerSteamId = state.players.ownerOf(ban.steamId);
  const answer = await questions.run(ban.command, answerMs);
  if (answer === null) return noAnswer();
  const refusal = banRefusal(answer) ?? failureOf(answer);
  // Save also an existing ban: an attempt without an answer may have created it without saving it.
  if (!refusal || isBanned(answer)) await saveBans(questions);
  return refusal ?? done({ ok: true, ownerSteamId });
}

/** Builds the command for a ban; returns a refusal if the body is invalid. */
function readBan(
  body: object | null,
  { players }: ConsoleState,
): { readonly steamId: string; readonly command: string } | CommandOutcome {
  const steamId = steamIdOf(body);
  if (steamId === null) return invalidId();
  const reason = reasonOf(body);
  if (reason === null) return refuse("INVALID", "has no text that the console takes", "reason");
  const { name, durationSec = null } = (body ?? {}) as { name?: unknown; durationSec?: unknown };
  if (durationSec !== null && !isDuration(durationSec)) {
    return refuse("INVALID", `must be a number from 1 to ${longestBanSec}`, "durationSec");
  }
  // The console drops an empty argument, so use a placeholder for an unknown name.
  const known = typeof name === "string" ? name : players.nameOf(steamId);
  const shown = toConsoleText(known ?? "", 64) ?? steamId;
  const duration = durationSec === null ? [] : [plain(`${durationSec}s`)];
  const command = buildCommand("banid", [plain(steamId), shown, reason, ...duration]);
  return command === null ? invalidId() : { steamId, command };
}

const isDuration = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= longestBanSec;

// Players' names and ban reasons in an answer may contain these phrases, so match only the start of the answer.

const isBanned = (answer: string): boolean => /^User \d{17} is already banned/i.test(answer);

function banRefusal(answer: string): CommandOutcome | null {
  if (isBanned(answer)) return refuse("TAKEN", "the player is already banned");
  if (/^This doesn'?t appear to be a 64bit steamid/i.test(answer)) return invalidId();
  if (/^Expiry time is in the past/i.test(answer)) {
    return refuse("INVALID", "ends in the past", "durationSec");
  }
  return null;
}

export async function unbanPlayer(
  body: object | null,
  { questions }: CallParts,
): Promise<CommandOutcome> {
  const steamId = steamIdOf(body);
  const command = steamId && buildCommand("unban", [plain(steamId)]);
  if (!command) return invalidId();
  const answer = await questions.run(command, answerMs);
  if (answer === null) return noAnswer();
  const isAbsent = /^User \d{17} isn'?t banned/i.test(answer);
  const failure = failureOf(answer);
  if (failure) return failure;
  await saveBans(questions);
  return isAbsent ? refuse("NOT_FOUND", "the player is not banned") : done();
}

/** Makes the game write its bans to files, because it does not do so by itself. */
const saveBans = (questions: ConsoleQuestions): Promise<unknown> =>
  questions.run("server.writecfg", answerMs);

export async function listBans({ questions }: CallParts): Promise<CommandOutcome> {
  const answer = await questions.run("banlistex", answerMs);
  if (answer === null) return noAnswer();
  return failureOf(answer) ?? done({ bans: readBans(answer) });
}
