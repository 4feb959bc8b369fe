import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";

import type { ServerCommand } from "./cluster.ts";

/**
 * A shell that becomes the server and leaves a second shell behind. That one reads a pipe from the
 * starter. If it closes without a word, the starter was killed, and the shell sends the server its fast
 * shutdown. The second shell is detached, because PostgreSQL takes the end of any child for one of its
 * own.
 */
const script = `
  server=$$
  ( ( read -r word <&3 || kill -INT "$server" ) </dev/null >/dev/null 2>&1 & )
  exec "$@" 3<&-`;

/** Wraps the command of a server, so that the server ends with its starter, even if that is killed. */
export function wrapWithStarterPipe({ program, leading }: ServerCommand): ServerCommand {
  if (process.platform === "win32") return { program, leading };
  const shell = ["/bin/sh", "-c", script, "sh"];
  // The binary is the last word. The words before it change the user.
  const [binary = program, ...become] = leading.toReversed();
  const words = [...become.toReversed(), ...shell, binary];
  if (leading.length > 0) return { program, leading: words };
  const [first = "", ...others] = words;
  return { program: first, leading: others };
}

/** Tells the second shell that the server has ended. */
export function closeStarterPipeAfter(server: ChildProcess): void {
  const pipe = server.stdio[3] as Writable | undefined;
  pipe?.on("error", () => undefined);
  server.once("exit", () => pipe?.end("ended\n"));
}
