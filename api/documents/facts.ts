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

For people who change the code. By the end of this page, you know which facts the domains publish
for each other, and how to publish a new fact.

A _fact_ is something that happened and that other domains may want to know, for example that a post
was published. A domain that stores a change publishes the facts in the same transaction, with
\`publishFacts\` of \`shared/facts/publish-facts.ts\`. The call does not name the domains that use the
facts. Call \`publishFacts\` last in the transaction, because it can lock the row of a source until the
transaction ends. There are two kinds of facts:

- An **announcement** becomes a row of \`pushes\`. The job \`push.dispatch\` makes push messages
  from this row, and then enqueues the job \`webhook.dispatch\`, which makes webhook messages. A second
  announcement with the same stream and key has no effect.
- A **trigger** becomes a row of \`event_news\`. A phase of an event run can wait for triggers. The job
  \`event.trigger\` passes the rows to the runs that wait.

If announcements cannot be stored, \`publishFacts\` rolls back only their savepoint and logs the error,
and the change itself is stored.

## Announcements

\`shared/facts/streams.ts\` is the catalog of streams. The column **Published by** names the
folder in \`shared/\` whose code publishes the fact.

${markdownTable(
  ["Stream", "Published by", "Push messages go to", "Webhook streams"],
  Object.entries<PushStreamSpec>(pushStreams).map(streamRow),
)}

## Triggers

\`shared/facts/triggers.ts\` has the catalog of triggers. Only phases of event runs listen to triggers.

${markdownTable(["Trigger", "Published by"], triggers.map(triggerRow))}
`;
