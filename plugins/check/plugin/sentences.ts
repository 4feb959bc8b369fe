import { callSentences } from "../calls/sentences.ts";
import { eventSentences } from "../payloads/event-sentences.ts";
import { type Sentence, sentencesOf } from "../report/sentence.ts";
import { watchSentences } from "../watch/sentences.ts";

/** What a check brings about in order to judge it. */
const activeSentences = {
  ...sentencesOf("hello", {
    "hello.repeated": ["A hello whose answer is lost is sent again", "hello"],
  }),
  ...sentencesOf("resend", {
    "resend.busy": ["Events that were answered 503 are sent again", "events"],
    "resend.lost": ["Events whose answer is lost are sent again", "events"],
    "resend.partial": ["After an answer { seq } the plugin goes on with seq + 1", "events"],
  }),
  ...sentencesOf("conflict", {
    "conflict.hello": ["409 HELLO to events is followed by hello", "refusals"],
    "conflict.sequence": ["409 SEQUENCE to events is followed by hello", "refusals"],
    "conflict.wait": ["409 HELLO to a wait is followed by hello", "refusals"],
    "conflict.resume": ["After hello events go on behind the cursor", "hello"],
    "conflict.epoch": ["After 409 EPOCH to a hello the plugin makes a new epoch", "refusals"],
  }),
  ...sentencesOf("gap", {
    "gap.rewind": [
      "Events that the site asks for and the plugin no longer has are told as a gap",
      "gaps",
    ],
    "gap.overflow": ["What a full buffer lost is told as a gap", "gaps"],
  }),
  ...sentencesOf("commands", {
    "commands.several": ["Commands that come in one answer are each answered", "wait"],
    "commands.unknown": ["A call that the plugin does not have is 422 UNSUPPORTED", "commands"],
    "commands.lost": ["An outcome whose answer is lost is sent again, byte for byte", "commands"],
    "commands.withdrawn": ["An outcome that was answered 404 is not sent again", "refusals"],
    "commands.done": ["A broadcast (Rust: an announcement) is carried out", "commands"],
    "commands.key": ["A repeated key has the same outcome", "idempotency-keys"],
    "commands.flight": ["Two commands at once with one key have one outcome", "idempotency-keys"],
    "commands.effect": ["A repeated key has one effect", "idempotency-keys"],
    "commands.conflict": ["A key with another body is 409 CONFLICT", "idempotency-keys"],
  }),
  ...sentencesOf("away", {
    "away.backoff": [
      "A site that is away is tried again with full jitter, 1 s doubling to 60 s",
      "away",
    ],
    "away.return": ["A site that comes back hears from the plugin within a minute", "away"],
    "away.kept": ["Events wait for a site that is away, or are told as a gap", "away"],
  }),
  ...sentencesOf("refused", {
    "refused.key": ["A key that is refused with 401 is tried once a minute", "refusals"],
    "refused.disabled": ["403 DISABLED is tried again once a minute", "refusals"],
    "refused.protocol": ["409 PROTOCOL is followed by one hello a minute", "refusals"],
  }),
  ...sentencesOf("superseded", {
    "superseded.silent": ["A superseded plugin falls silent until its game restarts", "refusals"],
  }),
};

/** CATALOGUE of what `npm run plugin:check` judges. */
export const pluginSentences = inOrder({
  ...watchSentences,
  ...eventSentences,
  ...callSentences,
  ...activeSentences,
});

export type PluginSentence = keyof typeof pluginSentences;

/** The sentences of a check stand together, whoever judges them. */
function inOrder<Id extends string>(
  sentences: Readonly<Record<Id, Sentence>>,
): Readonly<Record<Id, Sentence>> {
  const entries = Object.entries(sentences) as [Id, Sentence][];
  const checks = [...new Set(entries.map(([, { check }]) => check))];
  const sorted = entries.toSorted(
    ([, one], [, other]) => checks.indexOf(one.check) - checks.indexOf(other.check),
  );
  return Object.fromEntries(sorted) as Readonly<Record<Id, Sentence>>;
}
