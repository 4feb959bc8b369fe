import { isObject } from "../../../shared/platform/bridge/json-text.ts";
import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import type { Call } from "../site/call.ts";
import { earlierCalls, type WatchContext } from "./context.ts";

const mostBytes = 12 * 1024 * 1024;

/** Checks an outcome, and compares it with earlier outcomes of the same command. */
export function judgeOutcome(call: Call, watched: WatchContext): void {
  const { report } = watched;
  const command = watched.queue().find(call.commandId);
  if (!command?.isTaken) {
    return report.fail("commands.answered", {
      expected: "the id of a command that the site sent",
      got: `id ${formatValueExcerpt(call.commandId)}`,
      bytes: excerptOf(`${call.line} ${call.text}`),
    });
  }
  const { status, body } = call.json ?? {};
  const isStatus = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
  report.judge("commands.form", isStatus && isObject(body), () => ({
    expected: "{ status: 200 to 599, body: an object }",
    got: `status ${formatValueExcerpt(status)}, body ${formatValueExcerpt(body)}`,
    bytes: excerptOf(call.text),
  }));
  report.judge("commands.limits", call.bytes <= mostBytes, () => ({
    expected: "12 MiB at most",
    got: `${call.bytes} bytes`,
    bytes: excerptOf(call.text),
  }));
  const before = earlierCalls(watched, call).find(
    (one) => one.commandId === call.commandId && one.status === 204,
  );
  report.judge("commands.once", before === undefined, () => ({
    expected: `no more outcomes: call ${before?.number} sent the outcome and was answered 204`,
    got: `call ${call.number} sent another outcome of ${command.order.call}`,
    bytes: excerptOf(`${call.line} ${call.text}`),
  }));
}
