import { randomUUID } from "node:crypto";

import { parseDeepObject } from "../../../shared/platform/bridge/json-text.ts";
import { excerptOf } from "../report/excerpt.ts";
import type { CheckContext, Check } from "./context.ts";
import { FrameJudge } from "./frame-judge.ts";
import { openStream, type StreamOpenResult } from "./sidecar-stream.ts";

export const refusedCheck: Check = {
  name: "refused",
  does: "opens the stream with a wrong token and with another protocol version",
  run: async (bench) => {
    const { report, protocol } = bench;
    const wrongToken = await requestRefusedStream(bench, { token: randomUUID(), protocol });
    report.judge("refused.token", isRefused(wrongToken, 401), () => findingOf(401, wrongToken));
    const wrongProtocol = await requestRefusedStream(bench, {
      token: bench.token,
      protocol: protocol + 1,
    });
    const body = wrongProtocol.how === "refused" ? parseDeepObject(wrongProtocol.text) : undefined;
    const says =
      body?.["code"] === "PROTOCOL" &&
      body["server"] === protocol &&
      body["client"] === protocol + 1;
    report.judge("refused.protocol", isRefused(wrongProtocol, 409) && says, () =>
      findingOf(
        409,
        wrongProtocol,
        `{ "code": "PROTOCOL", "server": ${protocol}, "client": ${protocol + 1} }`,
      ),
    );
  },
};

/** Requests the stream in a way that must be refused. If the stream opens anyway, its frames are ignored. */
export async function requestRefusedStream(
  bench: CheckContext,
  given: { readonly token: string; readonly protocol: number },
): Promise<StreamOpenResult> {
  const { wsUrl, report, events } = bench;
  const opened = await openStream(
    { wsUrl, cursor: null, ...given },
    new FrameJudge(report, events, given.protocol, null),
  );
  if (opened.how === "open") await opened.stream.close();
  return opened;
}

export const isRefused = (opened: StreamOpenResult, status: number): boolean =>
  opened.how === "refused" && opened.status === status;

export function findingOf(status: number, opened: StreamOpenResult, body = "") {
  const got = {
    open: () => "the stream was opened",
    refused: () => `status ${opened.how === "refused" ? opened.status : ""}`,
    lost: () => (opened.how === "lost" ? opened.reason : ""),
  }[opened.how]();
  const expected = `HTTP status ${status} before the upgrade ${body}`.trim();
  const bytes = opened.how === "refused" ? excerptOf(opened.text) : undefined;
  return { expected, got, bytes };
}
