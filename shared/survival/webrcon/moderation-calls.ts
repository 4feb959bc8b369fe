import type { CommandOutcome } from "../../platform/plugin/commands.ts";
import { answerMs, readBans } from "./console-answers.ts";
import type { ConsoleConversation } from "./console-conversation.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import { buildCommand, buildSayCommand, toPlainArgument, toConsoleText } from "./console-text.ts";
import {
  createSuccessOutcome,
  failureOf,
  createTimeoutOutcome,
  createRefusalOutcome,
  steamIdOf,
} from "./console-types.ts";
import type { ConsoleState } from "./frame-buffer.ts";

/** The objects of a connection that calls use. */
export interface ModerationCallContext {
  readonly questions: ConsoleQuestions;
  readonly conversation: ConsoleConversation;
  readonly state: ConsoleState;
}

/** Longest ban in seconds. The game reads a larger number as the time at which the ban ends. */
const longestBanSec = 315_360_000;
const longestReason = 200;

const invalidId = (): CommandOutcome =>
  createRefusalOutcome("INVALID", "must be a Steam id", "steamId");

const missingPlayer = (): CommandOutcome =>
  createRefusalOutcome("NOT_FOUND", "the player is not on the server");

/** Shows a message to all players. The console does not report how many received it. */
export async function showAnnouncement(
  body: object | null,
  { questions, state }: ModerationCallContext,
): Promise<CommandOutcome> {
  const { message } = (body ?? {}) as { readonly message?: unknown };
  const command = typeof message === "string" ? buildSayCommand(message) : null;
  if (command === null) {
    return createRefusalOutcome("INVALID", "has no text that the console takes", "message");
  }
  const answer = await questions.run(command, answerMs);
  if (answer === null) return createTimeoutOutcome();
  return failureOf(answer) ?? createSuccessOutcome({ delivered: state.players.sessions.length });
}

export async function kickPlayer(
  body: object | null,
  { questions, conversation, state }: ModerationCallContext,
): Promise<CommandOutcome> {
  const steamId = steamIdOf(body);
  if (steamId === null) return invalidId();
  // For an absent player, the console would kick a player whose name contains the digits of the id.
  const { players } = state;
  if (!players.has(steamId) && !(await conversation.refreshPlayers())) {
    return createRefusalOutcome(
      "SHARD_DOWN",
      "the console did not answer with the list of players",
    );
  }
  if (!players.has(steamId)) return missingPlayer();
  const reason = reasonOf(body);
  const command = buildCommand(
    "kick",
    reason === null ? [toPlainArgument(steamId)] : [toPlainArgument(steamId), reason],
  );
  const answer = command && (await questions.run(command, answerMs));
  if (answer === null) return createTimeoutOutcome();
  if (/^Player not found/i.test(answer)) return missingPlayer();
  return failureOf(answer) ?? createSuccessOutcome();
}

function reasonOf(body: object | null): string | null {
  const { reason } = (body ?? {}) as { readonly reason?: unknown };
  return typeof reason === "string" ? toConsoleText(reason, longestReason) : null;
}

/** Bans a player. For a borrowed game, Rust also bans the owner, whose id the answer contains. */
export async function banPlayer(
  body: object | null,
  { questions, state }: ModerationCallContext,
): Promise<CommandOutcome> {
  const ban = readBan(body, state);
  if ("status" in ban) return ban;
  const ownerSteamId = state.players.ownerOf(ban.steamId);
  const answer = await questions.run(ban.command, answerMs);
  if (answer === null) return createTimeoutOutcome();
  const refusal = banRefusal(answer) ?? failureOf(answer);
  // Save also an existing ban: an attempt without an answer may have created it without saving it.
  if (!refusal || isBanned(answer)) await saveBans(questions);
  return refusal ?? createSuccessOutcome({ ok: true, ownerSteamId });
}

/** Builds the command for a ban; returns a refusal if the body is invalid. */
function readBan(
  body: object | null,
  { players }: ConsoleState,
): { readonly steamId: string; readonly command: string } | CommandOutcome {
  const steamId = steamIdOf(body);
  if (steamId === null) return invalidId();
  const reason = reasonOf(body);
  if (reason === null) {
    return createRefusalOutcome("INVALID", "has no text that the console takes", "reason");
  }
  const { name, durationSec = null } = (body ?? {}) as { name?: unknown; durationSec?: unknown };
  if (durationSec !== null && !isDuration(durationSec)) {
    return createRefusalOutcome(
      "INVALID",
      `must be a number from 1 to ${longestBanSec}`,
      "durationSec",
    );
  }
  // The console drops an empty argument, so use a placeholder for an unknown name.
  const known = typeof name === "string" ? name : players.nameOf(steamId);
  const shown = toConsoleText(known ?? "", 64) ?? steamId;
  const duration = durationSec === null ? [] : [toPlainArgument(`${durationSec}s`)];
  const command = buildCommand("banid", [toPlainArgument(steamId), shown, reason, ...duration]);
  return command === null ? invalidId() : { steamId, command };
}

const isDuration = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= longestBanSec;

// Players' names and ban reasons in an answer may contain these phrases, so match only the start of the answer.

const isBanned = (answer: string): boolean => /^User \d{17} is already banned/i.test(answer);

function banRefusal(answer: string): CommandOutcome | null {
  if (isBanned(answer)) return createRefusalOutcome("TAKEN", "the player is already banned");
  if (/^This doesn'?t appear to be a 64bit steamid/i.test(answer)) return invalidId();
  if (/^Expiry time is in the past/i.test(answer)) {
    return createRefusalOutcome("INVALID", "ends in the past", "durationSec");
  }
  return null;
}

export async function unbanPlayer(
  body: object | null,
  { questions }: ModerationCallContext,
): Promise<CommandOutcome> {
  const steamId = steamIdOf(body);
  const command = steamId && buildCommand("unban", [toPlainArgument(steamId)]);
  if (!command) return invalidId();
  const answer = await questions.run(command, answerMs);
  if (answer === null) return createTimeoutOutcome();
  const isAbsent = /^User \d{17} isn'?t banned/i.test(answer);
  const failure = failureOf(answer);
  if (failure) return failure;
  await saveBans(questions);
  return isAbsent
    ? createRefusalOutcome("NOT_FOUND", "the player is not banned")
    : createSuccessOutcome();
}

/** Makes the game write its bans to files, because it does not do so by itself. */
const saveBans = (questions: ConsoleQuestions): Promise<unknown> =>
  questions.run("server.writecfg", answerMs);

export async function listBans({ questions }: ModerationCallContext): Promise<CommandOutcome> {
  const answer = await questions.run("banlistex", answerMs);
  if (answer === null) return createTimeoutOutcome();
  return failureOf(answer) ?? createSuccessOutcome({ bans: readBans(answer) });
}
