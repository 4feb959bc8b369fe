import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";

import type { ServerCommand } from "./cluster.ts";

/**
 * A shell that starts a second shell and then becomes the server. The second shell reads a pipe from the process
 * that started the server. If the pipe closes without data, that process was killed, so the second shell sends
 * the server SIGINT, which is the fast shutdown. The second shell is detached, because PostgreSQL takes any child
 * process for one of its own.
 */
const script = `
  server=$$
  ( ( read -r word <&3 || kill -INT "$server" ) </dev/null >/dev/null 2>&1 & )
  exec "$@" 3<&-`;

/**
 * Wraps the command of a server, so that the server ends with the process that started it, even if that process
 * is killed.
 */
export function wrapWithStarterPipe({ program, leading }: ServerCommand): ServerCommand {
  if (process.platform === "win32") return { program, leading };
  const shell = ["/bin/sh", "-c", script, "sh"];
  // The last word is the server program. The words before it change the user.
  const [binary = program, ...become] = leading.toReversed();
  const words = [...become.toReversed(), ...shell, binary];
  if (leading.length > 0) return { program, leading: words };
  const [first = "", ...others] = words;
  return { program: first, leading: others };
}

/** Writes to the pipe when the server has ended, so that the second shell sends no signal. */
export function closeStarterPipeOnExit(server: ChildProcess): void {
  const pipe = server.stdio[3] as Writable | undefined;
  pipe?.on("error", () => undefined);
  server.once("exit", () => pipe?.end("ended\n"));
}
