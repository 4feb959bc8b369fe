import type { ConsoleProbe, ConsoleSettings } from "./console-types.ts";

/** Connects to a console, asks for the server's state and disconnects. */
export function probeConsole(_settings: ConsoleSettings, _withinMs: number): Promise<ConsoleProbe> {
  return Promise.resolve({ ok: false, code: "SHARD_DOWN", reason: "not connected" });
}
