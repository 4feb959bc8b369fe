import { type PushStreamSpec, pushStreams } from "../../shared/facts/streams.ts";
import type { EventTrigger } from "../../shared/facts/trigger.ts";
import { triggers } from "../../shared/facts/triggers.ts";
import { hookStreamsOf } from "../../shared/webhooks/messages/hook-streams.ts";
import { formatCode, formatCodes, markdownTable } from "./table.ts";

const audiences: Readonly<Record<PushStreamSpec["kind"], string>> = {
  public: "everyone who subscribes",
  personal: "the user whom it concerns",
  staff: "staff who subscribe",
};

const streamRow = ([name, spec]: readonly [string, PushStreamSpec]): readonly string[] => [
  formatCode(name),
  spec.toldBy,
  audiences[spec.kind],
  formatCodes(hookStreamsOf(name)),
];

const triggerRow = ({ id, owner }: EventTrigger): readonly string[] => [formatCode(id), owner];

/** Returns the text of `docs/develop/facts.md`. */
export const factsPage = (): string => `# Facts

For people who change the code. By the end of this page, you know what domains tell each other, and
how to tell something new.

A _fact_ is something that happened and that other domains may want to know, for example that a post
was published. A domain that stores a change tells the facts in the same transaction, with \`publishFacts\` of
\`shared/facts/publish-facts.ts\`. It does not name the domains that listen. Call \`publishFacts\` last in the
transaction, because it can lock the row of a source until the transaction ends. There are two kinds of
facts:

- An **announcement** becomes a row of \`pushes\`. The job \`push.dispatch\` makes push messages from it,
  and then orders the job \`webhook.dispatch\`, which makes webhook messages. A second announcement with
  the same stream and key has no effect.
- A **trigger** becomes a row of \`event_news\`. A phase of an event run can wait for triggers. The job
  \`event.trigger\` gives the rows to the runs that wait.

If announcements cannot be stored, their part of the transaction is undone, the fault is logged, and the
change itself is stored.

## Announcements

\`shared/facts/streams.ts\` is the catalog of streams. The column **Told by** names the folder in
\`shared/\` whose code tells the fact.

${markdownTable(
  ["Stream", "Told by", "Push messages go to", "Webhook streams"],
  Object.entries<PushStreamSpec>(pushStreams).map(streamRow),
)}

## Triggers

\`shared/facts/triggers.ts\` has the catalog of triggers. Only phases of event runs listen to triggers.

${markdownTable(["Trigger", "Told by"], triggers.map(triggerRow))}
`;
