import { randomUUID } from "node:crypto";

import { isObject } from "../../../shared/platform/bridge/json-text.ts";
import type { CallAnswer, CallRequest } from "../calls/call-request.ts";
import { judgeCalls } from "../calls/judge-calls.ts";
import { excerptOf } from "../report/excerpt.ts";
import type { CheckContext, Check } from "./context.ts";
import type { BridgeRequirement } from "./requirements.ts";

const get = (path: `/v1/${string}`): CallRequest => ({
  method: "GET",
  path,
  params: {},
  query: {},
  body: undefined,
});

export const controlCheck: Check = {
  name: "control",
  does: "makes calls with a wrong token, with another protocol version, and with an unknown name",
  run: async (bench) => {
    const { caller, protocol } = bench;
    const health = get("/v1/health");
    const foreign = await caller.call(health, { token: randomUUID() });
    judge("control.token", "status 401", bench, { answered: foreign, statuses: [401] });
    const other = await caller.call(health, { protocol: protocol + 1 });
    judge("control.protocol", '409 { "code": "PROTOCOL" }', bench, {
      answered: other,
      statuses: [409],
      codes: ["PROTOCOL"],
    });
    const unknown = await caller.call(get("/v1/guildhall-check"));
    judge("control.unknown", "404 NOT_FOUND or 422 UNSUPPORTED", bench, {
      answered: unknown,
      statuses: [404, 422],
      codes: ["NOT_FOUND", "UNSUPPORTED"],
    });
  },
};

interface ExpectedAnswer {
  readonly answered: CallAnswer | undefined;
  readonly statuses: readonly number[];
  readonly codes?: readonly string[];
}

export const errorCodeOf = ({ body }: CallAnswer): unknown =>
  isObject(body) ? body["code"] : undefined;

function judge(
  id: BridgeRequirement,
  expected: string,
  { report }: CheckContext,
  { answered, statuses, codes }: ExpectedAnswer,
): void {
  const isRight =
    answered !== undefined &&
    statuses.includes(answered.status) &&
    (codes === undefined || codes.includes(String(errorCodeOf(answered))));
  report.judge(id, isRight, () => ({
    expected,
    got: answered ? `status ${answered.status}` : "no answer",
    bytes: answered && excerptOf(answered.text),
  }));
}

export const callsCheck: Check = {
  name: "calls",
  does: "makes every read-only call of the listed capabilities",
  run: async ({ game, protocol, report, caller, say, known }) => {
    const health = await caller.call(get("/v1/health"));
    const listed = isObject(health?.body) ? health.body["capabilities"] : [];
    const capabilities = Array.isArray(listed) ? listed.map(String) : [];
    await judgeCalls({
      game,
      protocol,
      report,
      ask: (asked) => caller.call(asked),
      capabilities,
      known,
      isSidecar: true,
      say,
    });
  },
};
