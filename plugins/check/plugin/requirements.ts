import { callRequirements } from "../calls/requirements.ts";
import { eventRequirements } from "../payloads/event-requirements.ts";
import { type Requirement, declareRequirements } from "../report/requirement.ts";
import { watchRequirements } from "../watch/requirements.ts";

/** Requirements that can be checked only by an action of the checker. */
const activeRequirements = {
  ...declareRequirements("hello", {
    "hello.repeated": ["If no answer to POST /hello arrives, the plugin sends it again", "hello"],
  }),
  ...declareRequirements("resend", {
    "resend.busy": ["After 503, the plugin sends the same events again", "events"],
    "resend.lost": [
      "If no answer to POST /events arrives, the plugin sends the same events again",
      "events",
    ],
    "resend.partial": [
      "After the answer { seq }, the plugin continues with seq + 1, even if it had sent more " +
        "events",
      "events",
    ],
  }),
  ...declareRequirements("conflict", {
    "conflict.hello": ["After 409 HELLO to POST /events, the plugin calls POST /hello", "refusals"],
    "conflict.sequence": [
      "After 409 SEQUENCE to POST /events, the plugin calls POST /hello",
      "refusals",
    ],
    "conflict.wait": ["After 409 HELLO to GET /commands, the plugin calls POST /hello", "refusals"],
    "conflict.resume": [
      "After POST /hello, the plugin continues with the event after the cursor",
      "hello",
    ],
    "conflict.epoch": [
      "After 409 EPOCH to POST /hello, the plugin creates a new epoch",
      "refusals",
    ],
  }),
  ...declareRequirements("gap", {
    "gap.rewind": [
      "If the site asks for events that the plugin no longer has, the plugin reports a gap",
      "gaps",
    ],
    "gap.overflow": ["If a full buffer has lost events, the plugin reports a gap", "gaps"],
  }),
  ...declareRequirements("commands", {
    "commands.several": [
      "If one answer contains several commands, the plugin sends the outcome of each of them",
      "wait",
    ],
    "commands.unknown": [
      "The outcome of a call that the plugin does not have is 422 UNSUPPORTED",
      "commands",
    ],
    "commands.lost": [
      "If no answer to an outcome arrives, the plugin sends the outcome again, byte for byte",
      "commands",
    ],
    "commands.withdrawn": ["After 404, the plugin does not send the outcome again", "refusals"],
    "commands.done": ["The plugin carries out a broadcast (Rust: an announcement)", "commands"],
    "commands.key": [
      "If an idempotency key is repeated, the plugin sends the same outcome again",
      "idempotency-keys",
    ],
    "commands.flight": [
      "If two commands with the same idempotency key arrive at once, both have the same outcome",
      "idempotency-keys",
    ],
    "commands.effect": [
      "The plugin carries out commands with the same idempotency key only once",
      "idempotency-keys",
    ],
    "commands.conflict": [
      "If an idempotency key arrives with another body, the outcome is 409 CONFLICT",
      "idempotency-keys",
    ],
  }),
  ...declareRequirements("away", {
    "away.backoff": [
      "While the site cannot be reached, the plugin retries with full jitter and a limit from " +
        "1 s, doubling to 60 s",
      "away",
    ],
    "away.return": [
      "When the site can be reached again, the plugin calls it within a minute",
      "away",
    ],
    "away.kept": [
      "While the site cannot be reached, the plugin keeps its events, or later reports them as " +
        "a gap",
      "away",
    ],
  }),
  ...declareRequirements("refused", {
    "refused.key": ["After 401, the plugin waits a minute before its next call", "refusals"],
    "refused.disabled": [
      "After 403 DISABLED, the plugin waits a minute before its next call",
      "refusals",
    ],
    "refused.protocol": [
      "After 409 PROTOCOL, the plugin waits a minute, and its next call is POST /hello",
      "refusals",
    ],
  }),
  ...declareRequirements("superseded", {
    "superseded.silent": [
      "After 409 SUPERSEDED, the plugin makes no call until its game restarts",
      "refusals",
    ],
  }),
};

/** CATALOGUE of the protocol's requirements that `npm run plugin:check` checks. */
export const pluginRequirements = groupByCheck({
  ...watchRequirements,
  ...eventRequirements,
  ...callRequirements,
  ...activeRequirements,
});

export type PluginRequirement = keyof typeof pluginRequirements;

function groupByCheck<Id extends string>(
  sentences: Readonly<Record<Id, Requirement>>,
): Readonly<Record<Id, Requirement>> {
  const entries = Object.entries(sentences) as [Id, Requirement][];
  const checks = [...new Set(entries.map(([, { check }]) => check))];
  const sorted = entries.toSorted(
    ([, one], [, other]) => checks.indexOf(one.check) - checks.indexOf(other.check),
  );
  return Object.fromEntries(sorted) as Readonly<Record<Id, Requirement>>;
}
