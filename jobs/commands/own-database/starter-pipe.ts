import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";

import type { ServerCommand } from "./cluster.ts";

/**
 * A shell that becomes the server and leaves a second shell behind. That one reads a pipe whose other
 * end the starter alone holds: when the pipe closes before a word came, the starter was killed, and
 * the server is sent its fast shutdown. The second shell is detached, because PostgreSQL takes an end
 * of any child of its process for the end of one of its own.
 */
const script = `
  server=$$
  ( ( read -r word <&3 || kill -INT "$server" ) </dev/null >/dev/null 2>&1 & )
  exec "$@" 3<&-`;

/** The command for a server that ends when who started it does, however that ends. */
export function endingWithItsStarter({ program, leading }: ServerCommand): ServerCommand {
  if (process.platform === "win32") return { program, leading };
  const shell = ["/bin/sh", "-c", script, "sh"];
  // The binary is the last of what leads; all before it becomes another user.
  const [binary = program, ...become] = leading.toReversed();
  const words = [...become.toReversed(), ...shell, binary];
  if (leading.length > 0) return { program, leading: words };
  const [first = "", ...others] = words;
  return { program: first, leading: others };
}

/** Tells the shell that reads the pipe that there is nothing left to end. */
export function closeStarterPipeAfter(server: ChildProcess): void {
  const pipe = server.stdio[3] as Writable | undefined;
  pipe?.on("error", () => undefined);
  server.once("exit", () => pipe?.end("ended\n"));
}
