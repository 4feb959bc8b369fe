import type { IncomingMessage, ServerResponse } from "node:http";

import { familyNow } from "./control/ground.ts";
import { parseBody, readBody, sendJson } from "./control/http.ts";
import {
  integer,
  objectBody,
  optionalInteger,
  optionalText,
  queryInteger,
  text,
} from "./control/input.ts";
import { ok, refuse, Refusal, refuseMissing } from "./control/refusal.ts";
import type { Answer } from "./control/refusal.ts";
import { FaultError } from "./faults/fault.ts";
import { createRandom } from "./random.ts";
import type { Sidecar } from "./sidecar.ts";
import type { BufferedEvent } from "./stream/event.ts";
import { isStored } from "./stream/forms.ts";
import { findAccount, mintCode } from "./world/world.ts";

interface SimCall {
  readonly query: URLSearchParams;
  readonly body: unknown;
}

type SimRoute = (call: SimCall, sidecar: Sidecar) => Answer;

/** What only tests and checkers call: on the same port, without the bridge's token. */
const routes: Readonly<Record<string, SimRoute>> = {
  "GET /sim/status": (_, sidecar) => ok(status(sidecar)),
  "GET /sim/log": ({ query }, { buffer }) => {
    const after = queryInteger(query, "after", { least: 0, most: 1e15, byDefault: 0 });
    const limit = queryInteger(query, "limit", { least: 1, most: 100_000, byDefault: 10_000 });
    const events = buffer.log
      .slice(after, after + limit)
      .map((event, index) => logged(event, after + index + 1));
    return ok({ events, next: after + events.length, total: buffer.log.length });
  },
  "GET /sim/received": (_, { received }) => ok(received),
  "GET /sim/world": (_, { world }) =>
    ok({
      signupMode: world.signupMode,
      online: world.online.values().map((one) => one.serial),
      accounts: world.accounts.values().map(({ name, access, ban, characters }) => ({
        account: name,
        access,
        banned: ban !== null,
        characters: characters.map((one) => one.serial),
      })),
      links: world.links.values(),
      codes: world.codes.keys(),
      champions: world.champions.values().map(({ id, name, state }) => ({ id, name, state })),
      pages: world.pages.keys(),
    }),
  "GET /sim/rows": ({ query }, sidecar) => {
    const rows = familyNow(sidecar, query.get("family") ?? "");
    if (rows === null) throw refuseMissing();
    return ok({ rows });
  },
  "POST /sim/codes": ({ body }, sidecar) => {
    const account = findAccount(sidecar.world, text(objectBody(body), "account", 1, 64));
    if (account === undefined) throw refuseMissing();
    const random = createRandom(`${sidecar.buffer.epoch} code ${sidecar.world.codes.size}`);
    return ok({ code: mintCode(sidecar.world, account, random) });
  },
  "GET /sim/faults": (_, { faults }) => ok({ triggered: faults.triggered }),
  "POST /sim/faults": ({ body }, { faults }) => {
    faults.request(body);
    return ok({ triggered: faults.triggered.length });
  },
  "DELETE /sim/faults": (_, { faults }) => {
    faults.clear();
    return ok({ triggered: faults.triggered.length });
  },
  "POST /sim/emit": ({ body }, sidecar) => {
    const { payload, ...fields } = objectBody(body);
    const t = optionalInteger(fields, "t", { least: 0, most: 2 ** 53, byDefault: -1 });
    const event = sidecar.game.emit(text(fields, "kind", 1, 1_000), objectBody(payload), {
      ...(t >= 0 ? { t } : {}),
      ...("eventKey" in fields ? { eventKey: optionalText(fields, "eventKey", 200) ?? null } : {}),
    });
    return ok(logged(event, sidecar.buffer.log.length));
  },
  "POST /sim/happen": ({ body }, sidecar) => {
    const count = integer(objectBody(body), "count", 1, 1_000_000);
    return ok({ happened: sidecar.game.happen(count) });
  },
  "POST /sim/rate": ({ body }, sidecar) => {
    const { rate } = objectBody(body);
    if (typeof rate !== "number" || !(rate >= 0)) throw refuse(400, "INVALID", { field: "rate" });
    sidecar.pace.setRate(rate);
    return ok({ rate });
  },
};

export async function answerSim(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  sidecar: Sidecar,
): Promise<void> {
  const url = new URL(path, "http://sidecar");
  const route = routes[`${request.method} ${url.pathname}`];
  try {
    const body = parseBody(await readBody(request));
    if (route === undefined) throw refuseMissing();
    sendJson(response, route({ query: url.searchParams, body }, sidecar));
  } catch (error) {
    sendJson(response, refusalOf(error));
  }
}

function refusalOf(error: unknown): Answer {
  if (error instanceof Refusal) return error.answer;
  if (!(error instanceof FaultError)) throw error;
  return refuse(400, "INVALID", { field: "fault", reason: error.message }).answer;
}

/** An event as a checker reads it: `n` counts over all epochs, from 1. */
const logged = (event: BufferedEvent, n: number): Record<string, unknown> => ({
  n,
  epoch: event.epoch,
  seq: event.seq,
  eventKey: event.eventKey,
  kind: event.kind,
  t: event.t,
  bootId: event.bootId,
  payload: event.payload,
  lost: event.lost,
  form: event.form,
  /** Whether a client that missed nothing has stored it. */
  stored: isStored(event.form) && !event.lost,
});

const status = ({ buffer, game, stream, pace }: Sidecar): Record<string, unknown> => ({
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
