import type { Request } from "express";
import Joi from "joi";

import { alreadySentAnswer } from "../http/answer.ts";
import { type Route, defineRoute } from "../http/route.ts";
import { streamMediaType } from "../stream/sse.ts";

export const buildStreamAnswers = (of: string) => ({ 200: { mediaType: streamMediaType, of } });

/** Any text is accepted, because an unknown id resets the stream. */
const query = Joi.object<{ lastEventId?: string }, true>({
  lastEventId: Joi.string()
    .allow("")
    .description(
      "Same as the header `Last-Event-ID`, for clients that cannot send headers. The header " +
        "takes precedence.",
    ),
});

const eventConventions = `A block of the default type contains an event,
\`{ id, kind, t, bootId, payload, createdAt }\`; the id of the block is the id of the event.`;

export const streamConventions = `Blocks of three named types report the state of the stream itself:

- \`hello { level, lastEventId }\` opens the stream.
- \`reset { reason }\`: the stream cannot send the events that the client missed, so the client must
  fetch the state again. Reasons: the last event id is malformed (\`malformed\`) or unknown
  (\`unknown\`), or the client missed too many events (\`too_many\`) or too old ones (\`too_old\`).
- \`bye { reason }\` ends the stream. The \`retry\` of this block says how many milliseconds
  the client waits before it reconnects. Reasons: the process that serves the stream stops (\`draining\`), the stream
  has reached its maximum age of 10 minutes (\`max_age\`), the session has ended or the IP address
  is banned (\`revoked\`), the service cannot read events now (\`unavailable\`), too many streams
  are open (\`full\`), or the site mode no longer admits the caller (\`closed\`). If the service
  cannot open a stream, the response is 200 with only a \`bye\` block, because browsers do not
  reconnect after any other status.

If the client sends \`Last-Event-ID\`, the stream starts with the events that the client missed: at
most 1,000 events that the caller may see, none older than 10 minutes. If there are no events, the
server sends a comment every 20 seconds. If there are only events that the caller may not see, the
server sends a block that has an id but no data, so that the last event id of the client advances.`;

/** The parts of a route that answers with a resumable stream. */
export const resumableStream = {
  query,
  takes: ["Last-Event-ID"],
  holdsStream: true,
  /** Answers with a stream that ends at once: a browser reconnects after it, but never after a 503. */
  refuseInWords: (reason, exchange, { streams }) => streams.refuse(reason, exchange),
} as const satisfies Partial<Route>;

/** The header is newer than the query: a reconnecting browser updates the header, but not the URL. */
export const lastEventIdOf = (request: Request, { lastEventId }: { lastEventId?: string }) =>
  request.get("last-event-id") ?? lastEventId;

export const streamRoutes = [
  defineRoute({
    method: "get",
    path: "/api/v1/public/shard/stream",
    gate: "public",
    set: "core",
    tag: "Shard",
    summary: "Stream the live events of the shard",
    description: `Sends the events that the caller's audience may see, as Server-Sent Events. The
service determines the audience when the stream opens.
${eventConventions} ${streamConventions}`,
    ...resumableStream,
    answers: buildStreamAnswers("PublicStreamBlock"),
    handle: async ({ request, response, caller, query: given }, { streams }) => {
      const lastEventId = lastEventIdOf(request, given);
      await streams.open("public", { request, response, caller, lastEventId });
      return alreadySentAnswer;
    },
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/admin/shardlink/stream",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "Stream all events of the shard",
    description: `Sends events of all kinds as Server-Sent Events, with their payloads as the site
stores them. Blocks of the named types \`job.progress\`, \`event.run\` and \`event.step\` report
changes of jobs and event runs. These blocks have no id, and the stream does not send them again
after a reconnect. A \`reset\` with the reason \`notices\` means that the client may have missed
some of these blocks.
${eventConventions} ${streamConventions}`,
    ...resumableStream,
    answers: buildStreamAnswers("AdminStreamBlock"),
    handle: async ({ request, response, caller, query: given }, { streams }) => {
      const lastEventId = lastEventIdOf(request, given);
      await streams.open("admin", { request, response, caller, lastEventId });
      return alreadySentAnswer;
    },
  }),
];
