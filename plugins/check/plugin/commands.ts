import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import { type Answer, type Call, refuse } from "../site/call.ts";
import type { Command, CommandSpec, SentOutcome } from "../site/command-queue.ts";
import { withTimeout } from "../wait/within.ts";
import type { CheckContext, Check } from "./context.ts";
import { judgeKeys } from "./keys.ts";

const noAnswer = "the plugin did not answer the command";

/** How long to watch for a repeated outcome, which would be wrong. */
const repeatMs = 3_000;

/** Creates a command with a call that no plugin knows. */
export const buildUnknownCommand = (): CommandSpec => ({
  call: "POST /v1/guildhall-check",
  body: { note: "a call that no plugin has" },
  key: randomUUID(),
});

export const commandsCheck: Check = {
  name: "commands",
  does: "sends commands; players see a broadcast (Rust: an announcement)",
  run: async (bench) => {
    if (!(await judgeUnknown(bench))) {
      const why = "the plugin answered no command";
      for (const id of keySentences) bench.report.notSeen(id, why);
      return;
    }
    await judgeSeveral(bench);
    await judgeLost(bench);
    await judgeWithdrawn(bench);
    await judgeKeys(bench);
  },
};

const keySentences = [
  "commands.several",
  "commands.lost",
  "commands.withdrawn",
  "commands.done",
  "commands.key",
  "commands.flight",
  "commands.effect",
  "commands.conflict",
] as const;

export const isUnsupported = ({ status, body }: SentOutcome): boolean =>
  status === 422 && body["code"] === "UNSUPPORTED";

async function judgeUnknown({ site, report, times }: CheckContext): Promise<boolean> {
  const outcome = await site.ask(buildUnknownCommand(), times.commandMs);
  judgeAnswered("POST /v1/guildhall-check", outcome, { report, times });
  if (!outcome) return false;
  report.judge("commands.unknown", isUnsupported(outcome), () => ({
    expected: '422 { "code": "UNSUPPORTED" }',
    got: `${outcome.status} ${formatValueExcerpt(outcome.body)}`,
    bytes: excerptOf(outcome.text),
  }));
  return true;
}

function judgeAnswered(
  name: string,
  outcome: SentOutcome | undefined,
  { report, times }: Pick<CheckContext, "report" | "times">,
): void {
  report.judge("commands.answered", outcome !== undefined, () => ({
    expected: `an outcome of ${name} within ${times.commandMs / 1_000} s`,
    got: "none",
  }));
}

/** Sends three commands in one answer: two with keys, and a read, which has no key. */
async function judgeSeveral({ site, report, times }: CheckContext): Promise<void> {
  const read: CommandSpec = { call: "GET /v1/guildhall-check" };
  const commands = site.give([buildUnknownCommand(), read, buildUnknownCommand()], times.commandMs);
  await withTimeout(Promise.all(commands.map(({ answered }) => answered)), times.commandMs);
  const missing = commands.filter(({ outcomes }) => outcomes.length === 0);
  report.judge("commands.several", missing.length === 0, () => ({
    expected: `an outcome of each of ${commands.length} commands`,
    got: `none of ${missing.map(({ id, order }) => `${id} (${order.call})`).join(", ")}`,
  }));
  site.queue.withdraw(commands);
}

const outcomeOf =
  (command: Command | undefined) =>
  (call: Call): boolean =>
    call.endpoint === "outcome" && call.commandId === command?.id;

/** Stores an outcome but closes the connection without an answer: the plugin must send the outcome again. */
async function judgeLost({ site, report, times }: CheckContext): Promise<void> {
  const [command] = site.give([buildUnknownCommand()], times.commandMs);
  const lost = await site.replyOnce(outcomeOf(command), times.commandMs, dropStored);
  if (!lost) return report.notSeen("commands.lost", noAnswer);
  const again = await site.next(outcomeOf(command), times.soonMs * 2);
  report.judge("commands.lost", again?.text === lost.text, () => ({
    expected: `the same bytes again: ${excerptOf(lost.text)}`,
    got: again ? "other bytes" : "nothing",
    bytes: again && excerptOf(again.text),
  }));
}

const dropStored = async (_call: Call, honest: () => Promise<Answer>): Promise<Answer> => {
  await honest();
  return "drop";
};

/** Answers an outcome with 404, as if the command were withdrawn: the plugin must not send the outcome again. */
async function judgeWithdrawn({ site, report, times }: CheckContext): Promise<void> {
  const [command] = site.give([buildUnknownCommand()], times.commandMs);
  const refused = await site.replyOnce(outcomeOf(command), times.commandMs, () =>
    refuse(404, "NOT_FOUND"),
  );
  if (!refused) return report.notSeen("commands.withdrawn", noAnswer);
  const again = await site.next(outcomeOf(command), repeatMs);
  await sleep(0);
  report.judge("commands.withdrawn", again === undefined, () => ({
    expected: "no second outcome after 404",
    got: "the outcome again",
    bytes: again && excerptOf(`${again.line} ${again.text}`),
  }));
}
