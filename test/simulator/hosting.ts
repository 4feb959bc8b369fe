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
import type { Stream } from "./stream/stream.ts";
import { createTimers } from "./timers.ts";

type Serve = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

/** The interface of a sidecar and its game to the hosting process. */
export interface HostedSidecar {
  readonly buffer: EventBuffer;
  readonly stream: Stream;
  readonly faults: { readonly request: (asked: unknown) => void };
  readonly game: { readonly boot: () => void };
  readonly pace: { readonly setRate: (eventsPerSecond: number) => void };
  /** The control plane, without its prefix. */
  readonly control: Serve;
  /** The routes for tests and checkers. */
  readonly sim: Serve;
  /** Stops all spontaneous events. */
  readonly halt: () => void;
}

export interface Hosted {
  readonly port: number;
  /** The URL of the control plane, without `/v1`. */
  readonly baseUrl: string;
  readonly wsUrl: string;
  /** The URL of the routes for tests and checkers. */
  readonly simUrl: string;
  readonly token: string;
  readonly setRate: (eventsPerSecond: number) => void;
  /** Listens again after the fault `vanish` with `ms` 0. */
  readonly comeBack: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a sidecar on a loopback port; resolves when it listens and its game has booted. */
export async function hostSidecar<S extends HostedSidecar>(
  settings: CommonSettings,
  make: (journal: Journal, surroundings: HostFunctions) => S,
): Promise<{ sidecar: S; hosted: Hosted }> {
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
  const hosted: Hosted = {
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

/** `/sim` is the simulator's own; everything else is the control plane below its prefix. */
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
    // A client that aborted its own request is not a fault of the simulator.
    if (!request.complete) return;
    console.error(error);
    response.destroy();
  }
}

/** Each scripted fault triggers once, in its own task and never between two parts of an event. */
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
