import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import type { Call } from "../site/call.ts";
import type { WatchContext } from "./context.ts";

const mostAtOnce = 8;
const mostInSecond = 20;

export function judgeHeaders(call: Call, { report, key, calls }: WatchContext): void {
  const { authorization } = call.headers;
  const isInQuery = call.url.search.includes(key);
  report.judge("transport.key", authorization === `Bearer ${key}` && !isInQuery, () => ({
    expected: "Authorization: Bearer and the key of the setup line",
    got: isInQuery ? "the key in the URL" : `Authorization: ${formatValueExcerpt(authorization)}`,
    bytes: excerptOf(call.line),
  }));
  report.judge("transport.paths", call.endpoint !== "other", () => ({
    expected: "POST /hello, POST /events, GET /commands or POST /commands/:id below the address",
    got: excerptOf(call.line),
  }));
  const open = calls().filter(({ endedMs }) => endedMs === undefined);
  const recent = calls().filter(
    ({ endpoint, startedMs }) =>
      (endpoint === "hello" || endpoint === "events") && startedMs > call.startedMs - 1_000,
  );
  const isSlow = open.length <= mostAtOnce && recent.length <= mostInSecond;
  report.judge("transport.rate", isSlow, () => ({
    expected: `${mostAtOnce} open calls and at most ${mostInSecond} of hello and events in a second`,
    got: `${open.length} open calls, ${recent.length} of hello and events in the last second`,
    bytes: excerptOf(call.line),
  }));
}

export function judgeBody(call: Call, { report, memory, key }: WatchContext): void {
  if (call.text.includes(key)) {
    report.fail("transport.key", {
      expected: "the key only in the header",
      got: "the key in the body",
      bytes: excerptOf(call.text),
    });
  }
  const fault = bodyFault(call);
  report.judge("transport.json", fault === undefined, () => ({
    expected: "HTTP/1.1, content-type: application/json, no content-encoding, a JSON object",
    got: fault ?? "",
    bytes: excerptOf(`${call.line} ${call.text}`),
  }));
  if (call.endpoint !== "wait" && call.endpoint !== "outcome") return;
  const { bootId } = memory().hello ?? {};
  const sent = call.url.searchParams.get("bootId");
  // Before the first hello, the `bootId` of a call cannot be compared with that of a hello.
  if (bootId === undefined) return;
  report.judge("transport.boot", sent?.toLowerCase() === bootId, () => ({
    expected: `bootId=${bootId}`,
    got: sent === null ? "no bootId" : `bootId=${sent}`,
    bytes: excerptOf(call.line),
  }));
}

function bodyFault({ method, httpVersion, headers, json }: Call): string | undefined {
  if (httpVersion !== "1.1") return `HTTP/${httpVersion}`;
  if (method === "GET") return undefined;
  const { "content-type": type = "nothing", "content-encoding": encoding } = headers;
  if (!/^application\/json\b/i.test(type)) return `content-type: ${type}`;
  if (encoding !== undefined && encoding !== "identity") return `content-encoding: ${encoding}`;
  return json ? undefined : "a body that is not a JSON object";
}
