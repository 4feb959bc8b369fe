import type { DeliveredCommand } from "../../platform/plugin/commands.ts";

/** The address and password of a Rust server's console. */
export interface ConsoleSettings {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** True for a console with TLS (`wss`). */
  readonly isSecure: boolean;
}

/** A console that executes commands now. */
export interface ConsoleSession {
  /** The id of the game process. */
  readonly bootId: string;
  readonly capabilities: readonly string[];
}

/** A call of the site, as `plugin_commands` delivers it. */
export type ConsoleCall = Pick<DeliveredCommand, "call" | "params" | "query" | "body">;

/** `AUTH`: the console refuses the password, or has banned the address of this service. */
export type ConsoleFault = "AUTH" | "SHARD_DOWN" | "MALFORMED";

/** The result of a test of the settings. */
export type ConsoleProbe =
  | { readonly ok: true; readonly hello: object }
  | { readonly ok: false; readonly code: ConsoleFault; readonly reason: string };
