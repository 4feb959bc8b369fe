import { callSentences } from "../calls/sentences.ts";
import { eventSentences } from "../payloads/event-sentences.ts";
import { type Sentence, sentencesOf } from "../report/sentence.ts";
import { watchSentences } from "../watch/sentences.ts";

const calls = "plugins.md §2";

/** What a check brings about in order to judge it. */
const activeSentences = {
  ...sentencesOf("hello", {
    "hello.repeated": ["A hello whose answer is lost is sent again", "shapes-plugins.md G28"],
  }),
  ...sentencesOf("resend", {
    "resend.busy": ["Events that were answered 503 are sent again", calls],
    "resend.lost": ["Events whose answer is lost are sent again", calls],
    "resend.partial": ["After an answer { seq } the plugin goes on with seq + 1", calls],
  }),
  ...sentencesOf("conflict", {
    "conflict.hello": ["409 HELLO to events is followed by hello", "shapes-plugins.md G17"],
    "conflict.sequence": ["409 SEQUENCE to events is followed by hello", "shapes-plugins.md G18"],
    "conflict.wait": ["409 HELLO to a wait is followed by hello", calls],
    "conflict.resume": ["After hello events go on behind the cursor", calls],
    "conflict.epoch": [
      "After 409 EPOCH to a hello the plugin makes a new epoch",
      "shapes-plugins.md G12",
    ],
  }),
  ...sentencesOf("gap", {
    "gap.rewind": [
      "Events that the site asks for and the plugin no longer has are told as a gap",
      "shapes-plugins.md G50",
    ],
    "gap.overflow": ["What a full buffer lost is told as a gap", calls],
  }),
  ...sentencesOf("commands", {
    "commands.several": ["Commands that come in one answer are each answered", calls],
    "commands.unknown": ["A call that the plugin does not have is 422 UNSUPPORTED", calls],
    "commands.lost": [
      "An outcome whose answer is lost is sent again, byte for byte",
      "shapes-plugins.md G10",
    ],
    "commands.withdrawn": [
      "An outcome that was answered 404 is not sent again",
      "shapes-plugins.md G10",
    ],
    "commands.done": ["A broadcast (Rust: an announcement) is carried out", "bridge.md §2"],
    "commands.key": ["A repeated key has the same outcome", "bridge.md §2"],
    "commands.flight": ["Two commands at once with one key have one outcome", "bridge.md §2"],
    "commands.effect": ["A repeated key has one effect", "bridge.md §2"],
    "commands.conflict": ["A key with another body is 409 CONFLICT", "bridge.md §2"],
  }),
  ...sentencesOf("away", {
    "away.backoff": [
      "A site that is away is tried again with full jitter, 1 s doubling to 60 s",
      "plugins.md §2, bridge.md §1",
    ],
    "away.return": ["A site that comes back hears from the plugin within a minute", calls],
    "away.kept": ["Events wait for a site that is away, or are told as a gap", calls],
  }),
  ...sentencesOf("refused", {
    "refused.key": [
      "A key that is refused with 401 is tried once a minute",
      "shapes-plugins.md G14",
    ],
    "refused.disabled": ["403 DISABLED is tried again once a minute", "shapes-plugins.md G20"],
    "refused.protocol": ["409 PROTOCOL is followed by one hello a minute", calls],
  }),
  ...sentencesOf("superseded", {
    "superseded.silent": [
      "A superseded plugin falls silent until its game restarts",
      "shapes-plugins.md G02",
    ],
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
