import { serviceActor } from "../../bridge/call.ts";
import type { Control } from "../../bridge/control.ts";
import type { Cursor, StreamFrame } from "../../bridge/frames.ts";
import type { Ownership } from "../../ingest/ownership.ts";
import type { Logger } from "../../log.ts";
import { listLinks, resync } from "../bridge-calls.ts";
import { reconcileLinks } from "../links.ts";

/** What a batch says must be asked of the sidecar, beside storing it. */
export interface FollowUp {
  /** The game process is there anew: links may have moved while nobody listened. */
  readonly links: boolean;
  /** Events were lost, or may have been: the states are asked for whole. */
  readonly states: boolean;
}

const families = ["market", "house", "guild", "governor", "points"];

/** @param before the cursor the batch began at */
export function followUpOf(frames: readonly StreamFrame[], before: Cursor | null): FollowUp {
  const returned = frames.some((frame) => frame.type === "plugin" && frame.connected);
  const hello = frames.find((frame) => frame.type === "hello");
  const otherBuffer = hello !== undefined && hello.epoch !== before?.epoch;
  const lost = frames.some((frame) => frame.type === "gap");
  return { links: returned || hello !== undefined, states: returned || otherBuffer || lost };
}

/**
 * Asks the sidecar for what a batch made doubtful. It runs beside the stream, and what fails is
 * asked again at the next hello.
 */
export async function followUp(
  needs: FollowUp,
  control: Control,
  owner: Ownership,
  log: Logger,
): Promise<void> {
  try {
    if (needs.links) await takeLinks(control, owner);
    if (needs.states) {
      await control.command(resync, { actor: serviceActor }, { body: { families } });
    }
  } catch (error) {
    log.warn({ err: error }, "the sidecar did not answer a follow-up");
  }
}

async function takeLinks(control: Control, owner: Ownership): Promise<void> {
  const askedAt = await owner.use(async (sql) => {
    const { rows } = await sql.query<{ now: Date }>("select clock_timestamp() as now");
    return rows[0]?.now ?? new Date();
  });
  const { links } = await control.read(listLinks);
  await owner.useTransaction((sql) => reconcileLinks(links, askedAt, sql));
}
