import type { Request } from "express";
import Joi from "joi";

import { alreadySent } from "../http/answer.ts";
import { type Route, route } from "../http/route.ts";
import { streamMediaType } from "../stream/sse.ts";

const blocksOf = (of: string) => ({ 200: { mediaType: streamMediaType, of } });

/** Any text is accepted: an id we do not know resets the stream. */
const query = Joi.object<{ lastEventId?: string }, true>({
  lastEventId: Joi.string()
    .allow("")
    .description("Same as the header `Last-Event-ID`, for clients that cannot send headers."),
});

const conventions = `A block of the default type contains an event,
\`{ id, kind, t, bootId, payload, createdAt }\`; the id of the block is the id of the event. Named
blocks contain no event:

- \`hello { level, lastEventId }\` opens the stream.
- \`reset { reason }\`: the stream cannot send the missed events, so fetch the state again. The last
  event id is \`malformed\` or \`unknown\`, or the missed events are \`too_many\` or \`too_old\`.
- \`bye { reason }\` ends the stream. \`retry\` is the time to wait before reconnecting. Reasons:
  the process stops (\`draining\`), the stream has reached its maximum age of 10 minutes
  (\`max_age\`), the session has ended or the address is banned (\`revoked\`), events cannot be
  read (\`unavailable\`), too many streams are open (\`full\`), or the site is closed to the caller
  (\`closed\`). If a stream cannot be opened, the response is 200 with only a \`bye\` block, because
  browsers do not reconnect after any other status.

If the client sends \`Last-Event-ID\`, the stream starts with the events that the client missed: at
most 1,000 events that the caller may see, none older than 10 minutes. On a quiet stream the server
sends a comment every 20 seconds. A block without data advances the last event id past events that
the caller may not see.`;

/** A browser comes back to a stream that was ended in words, and never after 503. */
const refuseInWords: Route["refuseInWords"] = (reason, exchange, { streams }) =>
  streams.refuse(reason, exchange);

/** The header is what a browser has seen since the page wrote the address. */
const lastEventIdOf = (request: Request, { lastEventId }: { lastEventId?: string }) =>
  request.get("last-event-id") ?? lastEventId;

export const streamRoutes = [
  route({
    method: "get",
    path: "/api/v1/public/shard/stream",
    gate: "public",
    set: "core",
    tag: "Shard",
    summary: "Stream the live events of the shard",
    description: `Sends the events that the caller's rung may see as Server-Sent Events. The rung
is determined when the stream opens.
${conventions}`,
    query,
    takes: ["Last-Event-ID"],
    answers: blocksOf("PublicStreamBlock"),
    holdsStream: true,
    refuseInWords,
    handle: async ({ request, response, caller, query: given }, { streams }) => {
      const lastEventId = lastEventIdOf(request, given);
      await streams.open("public", { request, response, caller, lastEventId });
      return alreadySent;
    },
  }),
  route({
    method: "get",
    path: "/api/v1/admin/shardlink/stream",
    gate: "roles:admin",
    set: "core",
    tag: "Shard staff",
    summary: "Stream all events of the shard",
    description: `Sends events of every kind as Server-Sent Events, with their payloads as they are
stored. The named blocks \`job.progress\`, \`event.run\` and \`event.step\` report changes of jobs
and event runs. They have no id, and the stream does not send them again after a reconnect. A
\`reset\` with the reason \`notices\` means that some of these blocks may be lost.
${conventions}`,
    query,
    takes: ["Last-Event-ID"],
    answers: blocksOf("AdminStreamBlock"),
    holdsStream: true,
    refuseInWords,
    handle: async ({ request, response, caller, query: given }, { streams }) => {
      const lastEventId = lastEventIdOf(request, given);
      await streams.open("admin", { request, response, caller, lastEventId });
      return alreadySent;
    },
  }),
];
