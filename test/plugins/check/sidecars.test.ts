import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, it } from "vitest";

import { checkBridge } from "../../../plugins/check/bridge/check-bridge.ts";
import type { BridgeRequirement } from "../../../plugins/check/bridge/requirements.ts";
import { exitCodeOf, type CheckResult } from "../../../plugins/check/report/print.ts";
import type { Verdict } from "../../../plugins/check/report/requirement.ts";
import type { RunningSidecar } from "../../simulator/hosting.ts";
import type { SimulatorOptions } from "../../simulator/options.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { noon, createSimulatorPool } from "../../simulator/starting.ts";
import { createSurvivalSimulatorPool } from "../../simulator/survival/starting.ts";

const shards = createSimulatorPool();
const survival = createSurvivalSimulatorPool();
afterEach(async () => {
  await Promise.all([shards.stopAll(), survival.stopAll()]);
});

interface Given {
  readonly game?: "uo" | "rust";
  readonly only?: readonly string[];
  readonly mayCommand?: boolean;
}

const check = (
  sidecar: RunningSidecar,
  { game = "uo", only, mayCommand }: Given = {},
): Promise<CheckResult> =>
  checkBridge({ ...sidecar, game, only, mayCommand, patience: 5, say: () => undefined });

/** Starts a simulated shard and emits some events. The events all have known kinds. */
async function startShard(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await shards.start({ mix: { server: 0 }, ...options });
  simulator.happen(60);
  return simulator;
}

const faulty = ({ verdicts }: CheckResult): Verdict[] =>
  verdicts.filter(({ status }) => status === "failed" || status === "not seen");

describe("the sidecar check", () => {
  it("finds no fault in the sidecar of a shard", async () => {
    const simulator = await startShard();
    // Lose some events, so that the sidecar has to report a gap.
    simulator.faults.trigger("forget", { count: 5 });
    const outcome = await check(simulator, { mayCommand: true });
    expect(faulty(outcome)).toEqual([]);
    expect(exitCodeOf(outcome)).toBe(0);
  });

  it("finds no fault in the sidecar of a survival server", async () => {
    const simulator = await survival.start();
    simulator.happen(60);
    simulator.faults.trigger("forget", { count: 5 });
    const outcome = await check(simulator, { game: "rust", mayCommand: true });
    expect(faulty(outcome)).toEqual([]);
  });

  it("sends commands only if it is allowed to", async () => {
    const simulator = await startShard();
    const { verdicts } = await check(simulator, { only: ["control", "calls", "commands"] });
    expect(simulator.received.commands).toEqual([]);
    expect(
      verdicts.filter(({ id }) => id.startsWith("commands.")).map(({ status }) => status),
    ).toEqual(Array.from({ length: 6 }, () => "does not apply"));
  });

  it("reports that the address belongs to a web server that is not a sidecar", async () => {
    const server = createServer((_request, response) =>
      response.writeHead(404).end("no such page"),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const given = { wsUrl: `ws://${at}`, baseUrl: `http://${at}`, token: "any" };
    const { verdicts } = await checkBridge({
      ...given,
      game: "uo",
      only: ["refused"],
      say: () => undefined,
    });
    server.close();
    expect(verdicts.map(({ status, findings }) => ({ status, got: findings[0]?.got }))).toEqual([
      { status: "failed", got: "status 404" },
      { status: "failed", got: "status 404" },
    ]);
  });

  it("explains that it observed no events because another client has the stream open", async () => {
    const simulator = await startShard();
    simulator.faults.trigger("refuse", { status: 423, times: 0 });
    const { verdicts } = await check(simulator, { only: ["stream"] });
    expect(verdicts.map(({ status, why }) => ({ status, why }))).toEqual(
      Array.from({ length: 6 }, () => ({
        status: "not seen",
        why: 'the stream was not opened: 423 {"code":"LOCKED"}',
      })),
    );
  });
});

interface Case {
  readonly only: string;
  readonly breaks: BridgeRequirement;
  readonly mayCommand?: true;
  readonly clock?: () => number;
  /** Makes the sidecar faulty. Called before the check begins. */
  readonly spoil: (simulator: Simulator) => void;
}

/** CATALOGUE of faulty sidecars. */
const cases: Readonly<Record<string, Case>> = {
  "rejects another protocol with the status for a wrong token": {
    only: "refused",
    breaks: "refused.protocol",
    spoil: ({ faults }) => faults.trigger("refuse", { status: 401, times: 2 }),
  },
  "sends a frame that is not JSON": {
    only: "stream",
    breaks: "stream.frames",
    spoil: (simulator) => whileConnected(simulator, ({ faults }) => faults.trigger("frame", {})),
  },
  "sends a binary frame": {
    only: "stream",
    breaks: "stream.frames",
    spoil: (simulator) =>
      whileConnected(simulator, ({ faults }) => faults.trigger("frame", { form: "binary" })),
  },
  "omits an event": {
    only: "stream",
    breaks: "stream.sequence",
    spoil: (simulator) =>
      whileConnected(simulator, ({ faults, emit }) => {
        faults.trigger("hole");
        for (const text of ["one", "two"]) emit("world.broadcast", { text, access: "Player" });
      }),
  },
  "sends events twice": {
    only: "stream",
    breaks: "stream.sequence",
    spoil: (simulator) => whileConnected(simulator, ({ faults }) => faults.trigger("repeat")),
  },
  "begins before the cursor": {
    only: "resume",
    breaks: "resume.after",
    // Trigger the fault during the first connection of the check: it affects the replay of the second connection,
    // which sends a cursor.
    spoil: (simulator) => whileConnected(simulator, ({ faults }) => faults.trigger("overlap")),
  },
  "sends an event without a time": {
    only: "events",
    breaks: "events.envelope",
    spoil: ({ faults }) => faults.trigger("frame", { form: "noTime" }),
  },
  "sends a payload that its kind refuses": {
    only: "payloads",
    breaks: "payloads.fields",
    spoil: ({ faults }) => faults.trigger("frame", { form: "wrongPayload" }),
  },
  "sends an unknown kind": {
    only: "payloads",
    breaks: "payloads.kinds",
    spoil: ({ faults }) => faults.trigger("frame", { form: "unknownKind" }),
  },
  "sends an incomplete snapshot": {
    only: "snapshots",
    breaks: "snapshots.whole",
    spoil: ({ faults }) => faults.trigger("tear", { family: "guild", form: "missingPage" }),
  },
  "does not answer pings": {
    only: "clients",
    breaks: "clients.ping",
    spoil: (simulator) =>
      whileConnected(simulator, ({ faults }) => faults.trigger("silence", { ms: 8_000 })),
  },
  "accepts calls with a wrong token": {
    only: "control",
    breaks: "control.token",
    spoil: ({ faults }) => faults.trigger("status", { status: 200, code: "OK" }),
  },
  "answers HTML": {
    only: "control",
    breaks: "control.json",
    spoil: ({ faults }) => faults.trigger("html", { times: 0 }),
  },
  "answers a read with half of its JSON": {
    only: "calls",
    breaks: "calls.reads",
    spoil: ({ faults }) => faults.trigger("rubbish", { path: "/v1/links" }),
  },
  "answers a read with an internal error": {
    only: "calls",
    breaks: "calls.reads",
    spoil: ({ faults }) => faults.trigger("status", { path: "/v1/towncrier" }),
  },
  "reports a wrong number of texts": {
    only: "calls",
    breaks: "calls.sources",
    spoil: ({ faults }) => faults.trigger("wrongCounts", {}),
  },
  "sends pictures that do not match their hashes": {
    only: "calls",
    breaks: "calls.sources",
    spoil: ({ faults }) => faults.trigger("badImage", {}),
  },
  "names a capability that it does not have": {
    only: "calls",
    breaks: "calls.capabilities",
    spoil: ({ faults }) =>
      faults.trigger("status", { path: "/v1/pages", status: 422, code: "UNSUPPORTED" }),
  },
  "rejects a second client with the status for a wrong token": {
    only: "clients",
    breaks: "clients.locked",
    spoil: (simulator) => whileConnected(simulator, ({ faults }) => faults.trigger("refuse")),
  },
  "answers a resync without sending the states": {
    only: "commands",
    breaks: "commands.resync",
    mayCommand: true,
    spoil: ({ faults }) => faults.trigger("status", { path: "/v1/resync", status: 200, code: "" }),
  },
  "answers a malformed body with an internal error": {
    only: "commands",
    breaks: "commands.invalid",
    mayCommand: true,
    spoil: ({ faults }) => faults.trigger("status", { path: "/v1/broadcast" }),
  },
  "forgets idempotency keys": {
    only: "commands",
    breaks: "commands.conflict",
    mayCommand: true,
    clock: jumpingClock(),
    spoil: () => undefined,
  },
};

/** Returns a clock that is more than a day later at each reading. */
function jumpingClock(): () => number {
  let now = noon;
  return () => (now += 25 * 3_600_000);
}

/** Calls `act` as soon as the check has connected to the sidecar. */
function whileConnected(simulator: Simulator, act: (simulator: Simulator) => void): void {
  const timer = setInterval(() => {
    if (!simulator.stream.connection) return;
    clearInterval(timer);
    act(simulator);
  }, 1);
  timer.unref();
}

describe("the sidecar check detects a sidecar that", () => {
  it.each(Object.entries(cases))(
    "%s",
    async (_name, { only, breaks, mayCommand, clock, spoil }) => {
      const simulator = await startShard(clock ? { clock } : {});
      spoil(simulator);
      const { verdicts } = await check(simulator, {
        only: [only],
        mayCommand: mayCommand ?? false,
      });
      expect(verdicts.find(({ id }) => id === breaks)).toMatchObject({ status: "failed" });
    },
  );
});
