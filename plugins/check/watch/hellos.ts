import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import type { Call } from "../site/call.ts";
import { hasValidBufferRange, readHello, wrongFields } from "../site/hello.ts";
import { earlierCalls, type WatchContext } from "./context.ts";

/** Checks that the plugin makes no other call before its first hello is answered. */
export function judgeFirstCall(call: Call, { report, memory, calls }: WatchContext): void {
  if (memory().hello) return;
  // The plugin may repeat its first hello if the answer was lost.
  if (call.endpoint === "hello") {
    if (calls()[0] === call) report.pass("hello.first");
    return;
  }
  report.fail("hello.first", {
    expected: "POST /hello, and no other call before its answer",
    got: call.line,
  });
}

/** Checks the fields of a hello, and compares it with earlier hellos. */
export function judgeHello(call: Call, watched: WatchContext): void {
  const { report, game } = watched;
  const { json, text } = call;
  const wrong = json ? wrongFields(json, game) : [{ field: "body", expected: "a JSON object" }];
  for (const { field, expected } of wrong) {
    report.fail("hello.fields", {
      expected: `${field}: ${expected}`,
      got: `${field} is ${formatValueExcerpt(json?.[field])}`,
      bytes: excerptOf(text),
    });
  }
  if (!json || wrong.length > 0) return;
  report.pass("hello.fields");
  report.judge("hello.range", hasValidBufferRange(json), () => ({
    expected: "oldest ≤ head + 1",
    got: `oldest ${formatValueExcerpt(json["oldest"])}, head ${formatValueExcerpt(json["head"])}`,
    bytes: excerptOf(text),
  }));
  judgeIdentity(call, watched);
}

function judgeIdentity(call: Call, watched: WatchContext): void {
  const { report } = watched;
  const [last] = earlierCalls(watched, call);
  if (!call.json || !last?.json || wrongFields(last.json, watched.game).length > 0) return;
  const [now, before] = [readHello(call.json), readHello(last.json)];
  report.judge("hello.boot", now.bootId === before.bootId, () => ({
    expected: `bootId ${before.bootId}, unless the game was restarted during the check`,
    got: `bootId ${now.bootId}`,
    bytes: excerptOf(call.text),
  }));
  if (now.bootId !== before.bootId || isNewEpochDue(last)) return;
  report.judge("hello.epoch", now.epoch === before.epoch, () => ({
    expected: `epoch ${before.epoch}`,
    got: `epoch ${now.epoch}`,
    bytes: excerptOf(call.text),
  }));
}

/** Returns true if a hello was answered with 409 EPOCH, after which the plugin must start a new epoch. */
export function isNewEpochDue({ answer }: Call): boolean {
  const body = typeof answer === "object" ? answer.body : undefined;
  return body !== undefined && "code" in body && body.code === "EPOCH";
}
