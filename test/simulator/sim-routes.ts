import type { IncomingMessage, ServerResponse } from "node:http";

import type { Effects } from "./control/effects.ts";
import { parseBody, readBody, sendJson } from "./control/http.ts";
import {
  readRequiredInteger,
  objectBody,
  optionalInteger,
  optionalText,
  queryInteger,
  readRequiredText,
} from "./control/input.ts";
import { createOkAnswer, refuse, Refusal, refuseMissing } from "./control/refusal.ts";
import type { ControlAnswer } from "./control/refusal.ts";
import { FaultError } from "./faults/fault.ts";
import type { HostedSidecar } from "./hosting.ts";
import type { ReceivedLog } from "./received.ts";
import type { BufferedEvent, Payload } from "./stream/event.ts";
import { isStored } from "./stream/forms.ts";

interface SimCall {
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** The parts of a simulator that its routes read. */
export interface ObservedSidecar extends HostedSidecar {
  readonly received: ReceivedLog;
  readonly effects: Effects;
  readonly faults: HostedSidecar["faults"] & {
    readonly triggered: readonly unknown[];
    readonly clear: () => void;
  };
  readonly pace: HostedSidecar["pace"] & { readonly rate: () => number };
  readonly game: HostedSidecar["game"] & {
    readonly bootId: string | null;
    readonly running: boolean;
    readonly happen: (count: number) => number;
    readonly emit: (
      kind: string,
      payload: Payload,
      options: { readonly t?: number; readonly eventKey?: string | null },
    ) => BufferedEvent;
  };
}

export type SimRoute<S> = (call: SimCall, sidecar: S) => ControlAnswer;
export type SimRoutes<S> = Readonly<Record<string, SimRoute<S>>>;

/**
 * Routes that each simulator has. They are on the same port as the control plane and need no token.
 */
const commonRoutes: SimRoutes<ObservedSidecar> = {
  "GET /sim/status": (_, sidecar) => createOkAnswer(status(sidecar)),
  "GET /sim/log": ({ query }, { buffer }) => {
    const after = queryInteger(query, "after", { least: 0, most: 1e15, byDefault: 0 });
    const limit = queryInteger(query, "limit", { least: 1, most: 100_000, byDefault: 10_000 });
    const events = buffer.log
      .slice(after, after + limit)
      .map((event, index) => logged(event, after + index + 1));
    return createOkAnswer({ events, next: after + events.length, total: buffer.log.length });
  },
  "GET /sim/received": (_, { received }) => createOkAnswer(received),
  "GET /sim/effects": ({ query }, { effects }) =>
    createOkAnswer({ effects: effects.of(query.get("prefix") ?? "") }),
  "GET /sim/faults": (_, { faults }) => createOkAnswer({ triggered: faults.triggered }),
  "POST /sim/faults": ({ body }, { faults }) => {
    faults.request(body);
    return createOkAnswer({ triggered: faults.triggered.length });
  },
  "DELETE /sim/faults": (_, { faults }) => {
    faults.clear();
    return createOkAnswer({ triggered: faults.triggered.length });
  },
  "POST /sim/emit": ({ body }, sidecar) => {
    const { payload, ...fields } = objectBody(body);
    const t = optionalInteger(fields, "t", { least: 0, most: 2 ** 53, byDefault: -1 });
    const event = sidecar.game.emit(
      readRequiredText(fields, "kind", 1, 1_000),
      objectBody(payload),
      {
        ...(t >= 0 ? { t } : {}),
        ...("eventKey" in fields
          ? { eventKey: optionalText(fields, "eventKey", 200) ?? null }
          : {}),
      },
    );
    return createOkAnswer(logged(event, sidecar.buffer.log.length));
  },
  "POST /sim/happen": ({ body }, sidecar) => {
    const count = readRequiredInteger(objectBody(body), "count", 1, 1_000_000);
    return createOkAnswer({ happened: sidecar.game.happen(count) });
  },
  "POST /sim/rate": ({ body }, sidecar) => {
    const { rate } = objectBody(body);
    if (typeof rate !== "number" || !(rate >= 0)) throw refuse(400, "INVALID", { field: "rate" });
    sidecar.pace.setRate(rate);
    return createOkAnswer({ rate });
  },
};

/** Answers a call below `/sim`, by a route of this simulator or a common route. */
export async function answerSim<S extends ObservedSidecar>(
  own: SimRoutes<S>,
  sidecar: S,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://sidecar");
  const name = `${request.method} ${url.pathname}`;
  const route = own[name] ?? commonRoutes[name];
  try {
    const body = parseBody(await readBody(request));
    if (route === undefined) throw refuseMissing();
    sendJson(response, route({ query: url.searchParams, body }, sidecar));
  } catch (error) {
    sendJson(response, refusalOf(error));
  }
}

function refusalOf(error: unknown): ControlAnswer {
  if (error instanceof Refusal) return error.answer;
  if (!(error instanceof FaultError)) throw error;
  return refuse(400, "INVALID", { field: "fault", reason: error.message }).answer;
}

/** Returns an event for tests. `n` counts the events of all epochs from 1. */
const logged = (event: BufferedEvent, n: number): Record<string, unknown> => ({
  n,
  epoch: event.epoch,
  seq: event.seq,
  eventKey: event.eventKey,
  kind: event.kind,
  t: event.t,
  bootId: event.bootId,
  ...(event.saveId === undefined ? {} : { saveId: event.saveId }),
  payload: event.payload,
  lost: event.lost,
  form: event.form,
  /** True if a correct client stores the event: the frame is usable and the event was not lost. */
  stored: isStored(event.form) && !event.lost,
});

const status = ({ buffer, game, stream, pace }: ObservedSidecar): Record<string, unknown> => ({
  epoch: buffer.epoch,
  head: buffer.head,
  oldest: buffer.oldest,
  acked: buffer.acked,
  logged: buffer.log.length,
  bootId: game.bootId,
  pluginConnected: game.running,
  clientConnected: stream.connection !== undefined,
  rate: pace.rate(),
});
