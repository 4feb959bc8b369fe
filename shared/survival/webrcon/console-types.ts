import { type CallRefusalCode, callRefusals } from "../../platform/bridge/refusals.ts";
import type { CommandOutcome, DeliveredCommand } from "../../platform/plugin/commands.ts";
import { steamIdPattern } from "../kinds/fields.ts";

/** The address and password of a Rust server's console. */
export interface ConsoleSettings {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** True for a console with TLS (`wss`). */
  readonly isSecure: boolean;
}

/** A period in which a console can execute commands. */
export interface ConsoleSession {
  /** The id of the game process. */
  readonly bootId: string;
  readonly capabilities: readonly string[];
}

/** A call of the site, as `plugin_commands` delivers it. */
export type ConsoleCall = Pick<DeliveredCommand, "call" | "params" | "query" | "body">;

/** `AUTH`: the console refuses the password, or has banned the site's address. */
export type ConsoleFault = "AUTH" | "SHARD_DOWN" | "MALFORMED";

/** The result of testing an address and a password. */
export type ConsoleProbe =
  | { readonly ok: true; readonly hello: object }
  | { readonly ok: false; readonly code: ConsoleFault; readonly reason: string };

/** Returns a refusal in the form of a sidecar's answer. */
export const createRefusalOutcome = (
  code: CallRefusalCode,
  reason: string,
  field?: string,
): CommandOutcome => ({
  status: callRefusals[code].status,
  body: { code, message: reason, reason, ...(field !== undefined && { field }) },
});

/** Returns the outcome of a command without an answer. The command may have run, so it is not sent again. */
export const createTimeoutOutcome = (): CommandOutcome => {
  const { status, body } = createRefusalOutcome("SHARD_DOWN", "the console did not answer in time");
  return { status, body: { ...body, mayHaveRun: true } };
};

export const createSuccessOutcome = (
  body: object = { ok: true },
  status = 200,
): CommandOutcome => ({
  status,
  body,
});

/** Returns the outcome of a command that failed in the game. */
const failed = (reason: string): CommandOutcome => ({
  status: 500,
  body: { code: "UNAVAILABLE", message: reason, reason },
});

/** Returns the outcome if an answer reports an error or a forbidden command; otherwise null. */
export function failureOf(answer: string): CommandOutcome | null {
  if (answer.startsWith("Error:")) return failed("the game failed while it ran the command");
  if (/^You cannot run this command/i.test(answer)) return failed("the game forbids the command");
  return null;
}

/** Returns the Steam id in a call's body; null if the body has none. */
export const steamIdOf = (body: object | null): string | null => {
  const { steamId } = (body ?? {}) as { readonly steamId?: unknown };
  return typeof steamId === "string" && steamIdPattern.test(steamId) ? steamId : null;
};
