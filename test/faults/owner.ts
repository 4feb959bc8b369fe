import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { waitUntil } from "../support/clock/wait.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import type { DatabaseReader } from "./check-states.ts";
import type { History } from "./history.ts";

/** The maximum time for a standby to take over the source. */
const takeoverMs = 10_000;
/** The duration of a pause. It exceeds the owner's lease, so another process has taken over. */
export const pauseMs = 12_000;

/** A source of events and the ingest processes for it. One of them owns the source. */
export interface IngestSourceGroup {
  readonly source: string;
  readonly ingests: readonly ChildProgram[];
  readonly read: DatabaseReader;
  readonly history: History;
}

/**
 * Kills or stops the owner of the source. Starts it again after the other process has taken over.
 */
export async function endOwner(how: "kill" | "stop", owned: IngestSourceGroup): Promise<void> {
  const { owner, fence } = await findOwner(owned);
  await (how === "kill" ? owner.kill() : owner.stop());
  await waitUntilSourceTakenOver(fence, owned);
  await owner.start();
}

/** Pauses the owner until the other process has taken over. */
export async function pauseOwner(owned: IngestSourceGroup): Promise<void> {
  const { owner, fence } = await findOwner(owned);
  owner.pause();
  const woken = sleep(pauseMs).then(() => owner.resume());
  await waitUntilSourceTakenOver(fence, owned);
  await woken;
}

/** Waits until a process with a newer fence owns the source. */
export async function waitUntilSourceTakenOver(
  fence: number,
  owned: IngestSourceGroup,
): Promise<void> {
  const { history } = owned;
  const startedAt = performance.now();
  const isTakenOver = async () => (await readOwner(owned)).fence > fence;
  try {
    await waitUntil("the standby takes over", isTakenOver, takeoverMs);
    history.find("taken over", { ms: Math.round(performance.now() - startedAt) });
  } catch (error) {
    history.violate("a standby takes over within 10 s", { error: String(error) });
  }
}

interface Owner {
  /** The host name and process id of the owner. */
  readonly owner: string | null;
  readonly fence: number;
}

async function readOwner({ source, read }: IngestSourceGroup): Promise<Owner> {
  const [row] = await read<Owner & Record<string, unknown>>(
    "select owner, fence from ingest_sources where source = $1",
    [source],
  );
  if (!row) throw new Error(`there is no source ${source}`);
  return row;
}

/** Waits until a running ingest process owns the source. @returns the process */
export async function findOwner(
  owned: IngestSourceGroup,
): Promise<{ owner: ChildProgram; fence: number }> {
  for (;;) {
    const { owner, fence } = await readOwner(owned);
    const found = owned.ingests.find((one) => one.runs && owner === `${hostname()}:${one.pid}`);
    if (found) return { owner: found, fence };
    await sleep(50);
  }
}
