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
  const repeated = repeatedAnswer(call, watched);
  report.judge("commands.once", repeated === undefined, () => ({
    expected: `no more outcomes: call ${repeated?.number} sent the outcome and was answered 204`,
    got: `call ${call.number} sent another outcome of ${command.order.call}`,
    bytes: excerptOf(`${call.line} ${call.text}`),
  }));
}

/**
 * Returns the earlier call that sent an outcome of the same command and was answered 204. The answer can be lost: Mono
 * closes the connection of a 204, and then reports an error if its own write has not ended. So the plugin may repeat
 * the outcome once, unless it has used the connection of the answer again.
 */
function repeatedAnswer(call: Call, watched: WatchContext): Call | undefined {
  const [before, ...more] = earlierCalls(watched, call).filter(
    ({ commandId, status }) => commandId === call.commandId && status === 204,
  );
  if (!before) return undefined;
  const isReused = watched
    .calls()
    .some(({ number, connection }) => number > before.number && connection === before.connection);
  const isLost = more.length === 0 && !isReused && before.text === call.text;
  return isLost ? undefined : before;
}
