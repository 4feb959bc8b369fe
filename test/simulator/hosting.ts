import type { IncomingMessage, ServerResponse } from "node:http";

import type { CommonSettings } from "./common-options.ts";
import { sendJson } from "./control/http.ts";
import { Refusal } from "./control/refusal.ts";
import type { ScriptedFault } from "./faults/faults.ts";
import type { HostFunctions } from "./ground.ts";
import { Listener } from "./listener.ts";
import type { EventBuffer } from "./stream/buffer.ts";
import { noJournal, openJournal } from "./stream/journal.ts";
import type { Journal } from "./stream/journal.ts";
import type { SidecarEventStream } from "./stream/stream.ts";
import { createTimers } from "./timers.ts";

type Serve = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

/** The parts of a sidecar and its game that the hosting process uses. */
export interface HostedSidecar {
  readonly buffer: EventBuffer;
  readonly stream: SidecarEventStream;
  readonly faults: { readonly request: (asked: unknown) => void };
  readonly game: { readonly boot: () => void };
  readonly pace: { readonly setRate: (eventsPerSecond: number) => void };
  /** Serves the control plane. The paths are without the prefix. */
  readonly control: Serve;
  /** Serves the routes for tests. */
  readonly sim: Serve;
  /** Stops all events that the game emits by itself. */
  readonly halt: () => void;
}

export interface RunningSidecar {
  readonly port: number;
  /** The URL before `/v1` of the control plane. */
  readonly baseUrl: string;
  readonly wsUrl: string;
  /** The URL of the routes for tests. */
  readonly simUrl: string;
  readonly token: string;
  readonly setRate: (eventsPerSecond: number) => void;
  /** Listens again, after the fault `vanish` with `ms` 0. */
  readonly comeBack: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a sidecar on a loopback port. Resolves when it listens and its game has booted. */
export async function hostSidecar<S extends HostedSidecar>(
  settings: CommonSettings,
  make: (journal: Journal, surroundings: HostFunctions) => S,
): Promise<{ sidecar: S; hosted: RunningSidecar }> {
  const journal = settings.bufferFile === undefined ? noJournal : openJournal(settings.bufferFile);
  const timers = createTimers();
  const sidecar: S = make(journal, {
    later: timers.later,
    vanish: (ms) => {
      void listener.close();
      if (ms > 0) timers.later(ms, () => void listener.open());
    },
  });
  const listener = new Listener({
    host: settings.host,
    port: settings.port,
    request: (request, response) => void serve(request, response, sidecar, settings.prefix),
    upgrade: (...given) => sidecar.stream.upgrade(...given),
  });
  await listener.open();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    sidecar.halt();
    timers.stop();
    await listener.close();
    journal.close();
  };
  if (settings.boot) sidecar.game.boot();
  schedule(settings.faults, sidecar, timers.later);
  sidecar.pace.setRate(settings.rate);
  const at = `${settings.host}:${listener.port}`;
  const hosted: RunningSidecar = {
    port: listener.port,
    baseUrl: `http://${at}${settings.prefix}`,
    wsUrl: `ws://${at}${settings.prefix}/v1/stream`,
    simUrl: `http://${at}/sim`,
    token: settings.token,
    setRate: sidecar.pace.setRate,
    comeBack: () => listener.open(),
    stop: () => (stopped ??= stop()),
  };
  return { sidecar, hosted };
}

/**
 * Requests below `/sim` are for the simulator. All others are for the control plane below its
 * prefix.
 */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { sim, control }: HostedSidecar,
  prefix: string,
): Promise<void> {
  const path = request.url ?? "/";
  try {
    if (path.startsWith("/sim/")) return await sim(request, response, path);
    const isBelow = path.startsWith(`${prefix}/`);
    await control(request, response, isBelow ? path.slice(prefix.length) : "/");
  } catch (error) {
    if (error instanceof Refusal) return sendJson(response, error.answer);
    // A client that has aborted its request is no fault of the simulator.
    if (!request.complete) return;
    console.error(error);
    response.destroy();
  }
}

/**
 * Schedules the faults of a script. Each is triggered once, in a task of its own, and so never in
 * the middle of an event.
 */
function schedule(
  script: readonly ScriptedFault[],
  { buffer, faults }: HostedSidecar,
  later: HostFunctions["later"],
): void {
  const start = buffer.log.length;
  const waiting = script.filter(({ afterEvents }) => afterEvents !== undefined);
  for (const { afterMs, ...asked } of script) {
    if (afterMs !== undefined) later(afterMs, () => faults.request(asked));
  }
  buffer.onAppend(() => {
    for (const due of waiting.filter(
      (one) => buffer.log.length - start >= (one.afterEvents ?? 0),
    )) {
      waiting.splice(waiting.indexOf(due), 1);
      const { afterEvents: _, ...asked } = due;
      later(0, () => faults.request(asked));
    }
  });
}
