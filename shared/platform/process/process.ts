import type { Logger } from "../log.ts";
import { whenStarterIsGone } from "./starter.ts";

/** What a process has started and must end, last started first. */
export interface Stoppable {
  readonly name: string;
  stop(): Promise<unknown>;
}

/**
 * Every process stops within this; what still runs then is cut off. One machine that runs them all
 * stops its database after them, within 15 s together.
 */
export const stopWithinMs = 11_000;

/** A terminal's Ctrl-C comes twice, from the terminal and from npm or a runner of Procfiles. */
export const meantAgainAfterMs = 1_000;

/**
 * Ends a process in order on SIGTERM, SIGINT, SIGHUP, the end of the npm that
 * started it, or an error nobody caught.
 * A later signal ends it at once.
 */
export function stopOnSignals(log: Logger, parts: () => readonly Stoppable[]): void {
  let stoppingSince: number | undefined;
  let part: string | undefined;
  const note = ({ name }: Stoppable): void => void (part = name);
  const stop = (reason: string, exitCode: number): void => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > meantAgainAfterMs) process.exit(exitCode || 1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ reason }, "stopping");
    setTimeout(() => {
      log.error({ part }, "did not stop in time");
      process.exit(1);
    }, stopWithinMs).unref();
    void stopAll(log, parts(), note).then(() => process.exit(exitCode));
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => stop(signal, 0));
  }
  whenStarterIsGone(() => stop("npm is gone", 0));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught");
    stop("uncaught exception", 1);
  });
  process.on("unhandledRejection", (error) => {
    log.fatal({ err: error }, "unhandled rejection");
    stop("unhandled rejection", 1);
  });
}

async function stopAll(
  log: Logger,
  parts: readonly Stoppable[],
  note: (part: Stoppable) => void,
): Promise<void> {
  for (const part of parts.toReversed()) {
    note(part);
    try {
      await part.stop();
    } catch (error) {
      log.error({ err: error, part: part.name }, "stopping failed");
    }
  }
  log.info("stopped");
}
