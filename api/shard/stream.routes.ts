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
    .description("The event seen last, for clients that cannot send the Last-Event-ID header"),
});

const conventions = `Blocks of the default type carry an event as
\`{ id, kind, t, bootId, payload, createdAt }\` under its id. Named blocks carry no event:
\`hello { level, lastEventId }\` opens the stream, \`reset { reason }\` (\`malformed\`, \`unknown\`,
\`too_many\`, \`too_old\`) says that missed events cannot be sent and state is to be read anew,
\`bye { reason }\` (\`draining\`, \`max_age\`, \`revoked\`, \`unavailable\`, \`full\`, \`closed\`)
ends it with the \`retry\` to wait; while the site is closed to the caller a stream is that alone.
A client that comes back with \`Last-Event-ID\` is sent what it missed: up to 1,000 events it may
see, not older than ten minutes. Every 20 s a comment keeps the connection open, and a
block without data moves the last event id past what the client may not see.`;

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
    summary: "Live events of the shard",
    description: `What the caller's rung may see; the rung is settled when the stream opens.
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
    summary: "Every event of the shard, whole",
    description: `Payloads as they are stored, kinds for staff among them. Beside stored events it
tells \`job.progress\`, \`event.run\` and \`event.step\` in named blocks, which are not sent again.
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
