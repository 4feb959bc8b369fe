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

const conventions = `Blocks of the default type carry an event,
\`{ id, kind, t, bootId, payload, createdAt }\`, under its id. Named blocks carry no event:

- \`hello { level, lastEventId }\` opens the stream.
- \`reset { reason }\` says that missed events cannot be sent: read the state again. The last event
  id is \`malformed\` or \`unknown\`, or the missed events are \`too_many\` or \`too_old\`.
- \`bye { reason }\` ends the stream, with the \`retry\` to wait before the next try. The process
  stops (\`draining\`), the stream is up to 10 minutes old (\`max_age\`), the session has ended or
  the address is banned (\`revoked\`), events cannot be read (\`unavailable\`), too many streams are
  open (\`full\`), or the site is closed to the caller (\`closed\`). A stream that cannot be opened
  is 200 with \`bye\` alone, because a browser does not try again after another status.

A client that sends \`Last-Event-ID\` first gets the events that it missed: at most 1,000 that it
may see, none older than 10 minutes. A quiet stream gets a comment every 20 seconds. A block without
data moves the last event id past events that the caller may not see.`;

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
    description: `Server-Sent Events that the caller's rung may see. The rung is fixed when the
stream opens.
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
    description: `Server-Sent Events of every kind, with their payloads as they are stored. The
named blocks \`job.progress\`, \`event.run\` and \`event.step\` tell of jobs and event runs; they
have no id and are not sent again. \`reset\` with the reason \`notices\` says that some may be lost.
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
