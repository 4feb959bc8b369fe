import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { broadcastCall } from "../../../shared/shard/calls/staff-calls.ts";
import { sendAnnouncementCall } from "../../../shared/survival/calls/server-calls.ts";
import { toCallRequest, judgeAnswer } from "../calls/call-request.ts";
import { toCanonicalJson } from "../payloads/event-judge.ts";
import type { Game } from "../payloads/payload-faults.ts";
import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import type { CommandSpec, SentOutcome } from "../site/command-queue.ts";
import { withTimeout } from "../wait/within.ts";
import { type CheckContext, requestStates } from "./context.ts";

const keySentences = [
  "commands.key",
  "commands.flight",
  "commands.effect",
  "commands.conflict",
] as const;

/** How long to wait for the event that a broadcast causes. */
const effectMs = 3_000;

const callOf = (game: Game) => (game === "uo" ? broadcastCall : sendAnnouncementCall);

function orderOf(game: Game, text: string, key: string): CommandSpec {
  const { method, path } = toCallRequest(callOf(game));
  const body = game === "uo" ? { text } : { message: text, voice: null, channel: "chat" };
  return { call: `${method} ${path}`, body, key };
}

const newText = (): string => `Guildhall checks this plugin (${randomUUID().slice(0, 8)}).`;

/** Checks with a harmless command how the plugin treats idempotency keys. */
export async function judgeKeys(bench: CheckContext): Promise<void> {
  const { game, site, report, times } = bench;
  const text = newText();
  const order = orderOf(game, text, randomUUID());
  const first = await site.ask(order, times.commandMs);
  if (!isDone(first, bench)) return;
  const again = await site.ask(order, times.commandMs);
  judgeSame("commands.key", first, again, bench);
  const other = await site.ask({ ...orderOf(game, newText(), order.key ?? "") }, times.commandMs);
  const isConflict = other?.status === 409 && other.body["code"] === "CONFLICT";
  report.judge("commands.conflict", isConflict, () => ({
    expected: '409 { "code": "CONFLICT" } for a key that was used with another body',
    got: other ? `${other.status} ${formatValueExcerpt(other.body)}` : "no outcome",
    bytes: other && excerptOf(other.text),
  }));
  const flown = await judgeFlight(bench);
  await judgeEffects([text, flown], bench);
}

/** Returns true if the first broadcast was executed. Otherwise the requirements about keys are skipped. */
function isDone(
  first: SentOutcome | undefined,
  { game, report }: CheckContext,
): first is SentOutcome {
  const call = callOf(game);
  const judged = judgeAnswer(call, first);
  const skip = (why: string): void => {
    for (const id of keySentences) report.skip(id, why);
  };
  if (judged.how === "good") {
    report.pass("commands.done");
    return true;
  }
  if (judged.how === "wrong") {
    report.fail("commands.done", judged.finding);
  } else if (judged.error.code === "UNSUPPORTED") {
    skip(`${call.method} ${call.path} is UNSUPPORTED`);
    report.skip("commands.done", `${call.method} ${call.path} is UNSUPPORTED`);
  } else {
    report.notSeen("commands.done", `the plugin answered ${judged.error.code}`);
  }
  return false;
}

/** Sends two commands with the same key in one answer. */
async function judgeFlight(bench: CheckContext): Promise<string> {
  const { game, site, times } = bench;
  const text = newText();
  const order = orderOf(game, text, randomUUID());
  const commands = site.give([order, { ...order }], times.commandMs);
  const outcomes = await withTimeout(
    Promise.all(commands.map(({ answered }) => answered)),
    times.commandMs,
  );
  const [one, other] = outcomes ?? [];
  judgeSame("commands.flight", one, other, bench);
  return text;
}

const shown = (outcome: SentOutcome | undefined): string =>
  outcome ? `${outcome.status} ${formatValueExcerpt(outcome.body)}` : "no outcome";

function judgeSame(
  id: "commands.key" | "commands.flight",
  one: SentOutcome | undefined,
  other: SentOutcome | undefined,
  { report }: CheckContext,
): void {
  const isSame =
    one !== undefined &&
    one.status === other?.status &&
    toCanonicalJson(one.body) === toCanonicalJson(other.body);
  report.judge(id, isSame, () => ({
    expected: `the same outcome twice: ${shown(one)}`,
    got: shown(other),
    bytes: other && excerptOf(other.text),
  }));
}

/** Checks how often each broadcast was executed, by the events about broadcasts, if the plugin sends them. */
async function judgeEffects(texts: readonly string[], bench: CheckContext): Promise<void> {
  const { report, broadcasts, game } = bench;
  if (game === "rust") return report.skip("commands.effect", "no event reports an announcement");
  requestStates(bench);
  await sleep(effectMs);
  const counts = texts.map((text) => broadcasts.filter((one) => one.includes(text)).length);
  if (counts.every((count) => count === 0)) {
    return report.skip("commands.effect", "the plugin sent no event world.broadcast");
  }
  report.judge("commands.effect", Math.max(...counts) === 1, () => ({
    expected: "one world.broadcast for each key",
    got: `${Math.max(...counts)} for one key`,
    bytes: excerptOf(texts[counts.indexOf(Math.max(...counts))] ?? ""),
  }));
}
