import type { IncomingMessage, ServerResponse } from "node:http";

import { sendJson } from "./control/http.ts";
import { Refusal } from "./control/refusal.ts";
import type { ScriptedFault } from "./faults/faults.ts";
import type { EmitOptions } from "./game/game.ts";
import type { Payload } from "./happenings/scene.ts";
import { Listener } from "./listener.ts";
import { settleOptions } from "./options.ts";
import type { SimulatorOptions } from "./options.ts";
import { createSidecar } from "./sidecar.ts";
import type { Sidecar } from "./sidecar.ts";
import { answerSim } from "./sim-routes.ts";
import type { BufferedEvent } from "./stream/event.ts";
import { noJournal, openJournal } from "./stream/journal.ts";
import { createTimers } from "./timers.ts";

/** A shard sidecar with its game, listening on loopback. */
export interface Simulator extends Pick<
  Sidecar,
  "world" | "game" | "buffer" | "stream" | "received" | "faults"
> {
  readonly port: number;
  /** Of the control plane, without `/v1`. */
  readonly baseUrl: string;
  readonly wsUrl: string;
  /** Where the routes are that only tests and checkers call. */
  readonly simUrl: string;
  readonly token: string;
  /** One event as the game's plugin would send it. */
  readonly emit: (kind: string, payload: Payload, options?: EmitOptions) => BufferedEvent;
  /** Lets things happen now; how many events came of it. */
  readonly happen: (count: number) => number;
  readonly setRate: (eventsPerSecond: number) => void;
  /** Listens again after the fault `vanish` with `ms` 0. */
  readonly comeBack: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a simulator; it listens, and its game has booted, when the promise is kept. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = settleOptions(options);
  const journal = settings.bufferFile === undefined ? noJournal : openJournal(settings.bufferFile);
  const timers = createTimers();
  const sidecar = createSidecar(settings, journal, {
    later: timers.later,
    vanish: (ms) => {
      void listener.close();
      if (ms > 0) timers.later(ms, () => void listener.open());
    },
  });
  const { world, game, buffer, stream, received, faults, pace, resync } = sidecar;
  const listener = new Listener({
    host: settings.host,
    port: settings.port,
    request: (request, response) => void serve(request, response, sidecar, settings.prefix),
    upgrade: (...given) => stream.upgrade(...given),
  });
  await listener.open();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    pace.stop();
    resync.stop();
    timers.stop();
    await listener.close();
    journal.close();
  };
  const [host, port] = [settings.host, listener.port];
  if (settings.boot) game.boot();
  schedule(settings.faults, sidecar, timers.later);
  pace.setRate(settings.rate);
  return {
    world,
    game,
    buffer,
    stream,
    received,
    faults,
    port,
    baseUrl: `http://${host}:${port}${settings.prefix}`,
    wsUrl: `ws://${host}:${port}${settings.prefix}/v1/stream`,
    simUrl: `http://${host}:${port}/sim`,
    token: settings.token,
    emit: (kind, payload, how) => game.emit(kind, payload, how),
    happen: (count) => game.happen(count),
    setRate: pace.setRate,
    comeBack: () => listener.open(),
    stop: () => (stopped ??= stop()),
  };
}

/** `/sim` is the simulator's own; all else is the control plane, below its prefix. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  sidecar: Sidecar,
  prefix: string,
): Promise<void> {
  const path = request.url ?? "/";
  try {
    if (path.startsWith("/sim/")) return await answerSim(request, response, path, sidecar);
    const isBelow = path.startsWith(`${prefix}/`);
    await sidecar.control(request, response, isBelow ? path.slice(prefix.length) : "/");
  } catch (error) {
    if (error instanceof Refusal) return sendJson(response, error.answer);
    // A client that broke off in the middle of its own body is no fault of ours.
    if (!request.complete) return;
    console.error(error);
    response.destroy();
  }
}

/** Each fault of the script strikes once, in a turn of its own and never inside what is told. */
function schedule(
  script: readonly ScriptedFault[],
  { buffer, faults }: Sidecar,
  later: (ms: number, run: () => void) => void,
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
