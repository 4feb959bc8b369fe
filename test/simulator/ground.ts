import type { CommonSettings } from "./common-options.ts";
import { createEffects } from "./control/effects.ts";
import type { Effects } from "./control/effects.ts";
import { createIdempotency } from "./control/idempotency.ts";
import type { Idempotency } from "./control/idempotency.ts";
import { createRandom } from "./random.ts";
import { createReceivedLog } from "./received.ts";
import type { ReceivedLog } from "./received.ts";
import { EventBuffer } from "./stream/buffer.ts";
import type { Journal } from "./stream/journal.ts";

/** The parts that all simulated sidecars have. */
export interface SidecarBase {
  readonly received: ReceivedLog;
  readonly buffer: EventBuffer;
  readonly idempotency: Idempotency;
  readonly effects: Effects;
  readonly bootsBefore: number;
  readonly newBootId: (boot: number) => string;
}

/** Functions of the hosting process that the simulated faults use. */
export interface HostFunctions {
  readonly vanish: (ms: number) => void;
  readonly later: (ms: number, run: () => void) => void;
}

export const createSidecarBase = (settings: CommonSettings, journal: Journal): SidecarBase => ({
  received: createReceivedLog(),
  buffer: makeBuffer(settings, journal),
  idempotency: createIdempotency(journal, settings.clock),
  effects: createEffects(journal),
  bootsBefore: journal.past.filter((line) => "boot" in line).length,
  newBootId: (boot) => createRandom(`${settings.incarnation}/boot/${boot}`).uuid(),
});

/**
 * Creates the buffer. Epochs are numbered over all processes that use the same file, so that a new
 * buffer never gets an old epoch.
 */
function makeBuffer(settings: CommonSettings, journal: Journal): EventBuffer {
  let epochs = journal.past.filter((line) => "epoch" in line).length;
  const newEpoch = (): string => createRandom(`${settings.incarnation}/epoch/${++epochs}`).uuid();
  const { clock, keepRows, keepMs, maxRows } = settings;
  return new EventBuffer({ newEpoch, clock, journal, keepRows, keepMs, maxRows });
}
