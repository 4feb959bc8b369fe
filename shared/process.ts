import type { Logger } from "./log.ts";

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

/**
 * Ends a process in order on SIGTERM, SIGINT or an error nobody caught.
 * A second signal ends it at once.
 */
export function stopOnSignals(log: Logger, parts: () => readonly Stoppable[]): void {
  let stopping = false;
  const stop = (reason: string, exitCode: number): void => {
    if (stopping) process.exit(exitCode || 1);
    stopping = true;
    log.info({ reason }, "stopping");
    setTimeout(() => {
      log.error("did not stop in time");
      process.exit(1);
    }, stopWithinMs).unref();
    void stopAll(log, parts()).then(() => process.exit(exitCode));
  };
  process.on("SIGTERM", () => stop("SIGTERM", 0));
  process.on("SIGINT", () => stop("SIGINT", 0));
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught");
    stop("uncaught exception", 1);
  });
  process.on("unhandledRejection", (error) => {
    log.fatal({ err: error }, "unhandled rejection");
    stop("unhandled rejection", 1);
  });
}

async function stopAll(log: Logger, parts: readonly Stoppable[]): Promise<void> {
  for (const part of parts.toReversed()) {
    try {
      await part.stop();
    } catch (error) {
      log.error({ err: error, part: part.name }, "stopping failed");
    }
  }
  log.info("stopped");
}
