import { randomUUID } from "node:crypto";

import { resyncCall as resyncShard } from "../../../shared/shard/calls/account-calls.ts";
import { broadcastCall } from "../../../shared/shard/calls/staff-calls.ts";
import { sendAnnouncementCall } from "../../../shared/survival/calls/server-calls.ts";
import { type CallAnswer, toCallRequest, judgeAnswer } from "../calls/call-request.ts";
import { toCanonicalJson } from "../payloads/event-judge.ts";
import { familiesOf, type Game } from "../payloads/payload-faults.ts";
import { excerptOf } from "../report/excerpt.ts";
import type { CheckContext, Check } from "./context.ts";
import { errorCodeOf } from "./control.ts";

const sentences = [
  "commands.resync",
  "commands.invalid",
  "commands.done",
  "commands.key",
  "commands.flight",
  "commands.conflict",
] as const;

export const commandsCheck: Check = {
  name: "commands",
  does: "with --commands: sends a broadcast (Rust: an announcement), and repeats idempotency keys",
  run: async (bench) => {
    if (!bench.mayCommand) {
      for (const id of sentences) {
        bench.report.skip(id, "the check sends commands only with --commands");
      }
      return;
    }
    await requestResync(bench);
    await judgeInvalid(bench);
    await judgeKeys(bench);
  },
};

/** Asks the sidecar to send all states again. */
export async function requestResync({ caller, game, report }: CheckContext): Promise<void> {
  const asked = toCallRequest(resyncShard, { body: { families: familiesOf(game) } });
  const answered = await caller.call(asked, { key: randomUUID() });
  report.judge("commands.resync", answered?.status === 202, () => ({
    expected: "status 202",
    got: answered ? `status ${answered.status}` : "no answer",
    bytes: answered && excerptOf(answered.text),
  }));
}

const callOf = (game: Game) => (game === "uo" ? broadcastCall : sendAnnouncementCall);

const newText = (): string => `Guildhall checks this server (${randomUUID().slice(0, 8)}).`;

function say(
  { game, caller }: CheckContext,
  text: string,
  key: string,
): Promise<CallAnswer | undefined> {
  const body = game === "uo" ? { text } : { message: text, voice: null, channel: "chat" };
  return caller.call({ ...toCallRequest(callOf(game)), body }, { key });
}

async function judgeInvalid({ game, caller, report }: CheckContext): Promise<void> {
  const asked = { ...toCallRequest(callOf(game)), body: {} };
  const answered = await caller.call(asked, { key: randomUUID() });
  const isRight = answered?.status === 400 && errorCodeOf(answered) === "INVALID";
  report.judge("commands.invalid", isRight, () => ({
    expected: '400 { "code": "INVALID", field, reason } for a body without a text',
    got: answered ? `status ${answered.status}` : "no answer",
    bytes: answered && excerptOf(answered.text),
  }));
}

async function judgeKeys(bench: CheckContext): Promise<void> {
  const { game, report } = bench;
  const [text, key] = [newText(), randomUUID()];
  const first = await say(bench, text, key);
  const judged = judgeAnswer(callOf(game), first);
  if (judged.how === "wrong") return report.fail("commands.done", judged.finding);
  if (judged.how === "refused") {
    for (const id of ["commands.done", "commands.key", "commands.flight"] as const) {
      report.notSeen(id, `the sidecar answered ${judged.error.code}`);
    }
    return report.notSeen("commands.conflict", `the sidecar answered ${judged.error.code}`);
  }
  report.pass("commands.done");
  judgeSame("commands.key", first, await say(bench, text, key), bench);
  const other = await say(bench, newText(), key);
  const isConflict = other?.status === 409 && errorCodeOf(other) === "CONFLICT";
  report.judge("commands.conflict", isConflict, () => ({
    expected: '409 { "code": "CONFLICT" } for a key that was used with another body',
    got: shown(other),
    bytes: other && excerptOf(other.text),
  }));
  const [again, flightKey] = [newText(), randomUUID()];
  const both = await Promise.all([say(bench, again, flightKey), say(bench, again, flightKey)]);
  judgeSame("commands.flight", both[0], both[1], bench);
}

const shown = (answered: CallAnswer | undefined): string =>
  answered ? `${answered.status} ${excerptOf(answered.text)}` : "no answer";

function judgeSame(
  id: "commands.key" | "commands.flight",
  one: CallAnswer | undefined,
  other: CallAnswer | undefined,
  { report }: CheckContext,
): void {
  const isSame =
    one !== undefined &&
    one.status === other?.status &&
    toCanonicalJson(one.body ?? {}) === toCanonicalJson(other.body ?? {});
  report.judge(id, isSame, () => ({
    expected: `the same outcome twice: ${shown(one)}`,
    got: shown(other),
  }));
}
