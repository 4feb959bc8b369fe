import { findPublicServer } from "../../shared/survival/servers/read-servers.ts";
import { survivalRungOf } from "../../shared/survival/visibility/visibility.ts";
import { alreadySentAnswer } from "../http/answer.ts";
import { rowIdParams } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import {
  buildStreamAnswers,
  lastEventIdOf,
  resumableStream,
  streamConventions,
} from "../shard/stream.routes.ts";
import { ServerTopic } from "./server-topic.ts";

export const survivalStreamRoutes = [
  defineRoute({
    ...resumableStream,
    method: "get",
    path: "/api/v1/public/survival/servers/:id/stream",
    gate: "public",
    set: "additive",
    tag: "Survival",
    summary: "Stream the feed and the state of a survival server",
    description: `Sends the feed and the state of one server that the caller's audience may see, as
Server-Sent Events. The service determines the audience when the stream opens. A change of the
visibility settings applies to open streams. A block of the default type contains an event of the
feed, as \`GET /public/survival/servers/{id}/feed\` returns it; the id of the block is the id of the
event. To read the feed and then follow it, send the id of the newest event of its first page as
\`Last-Event-ID\`, or 0 if the page is empty. Blocks of five named types contain a state. They have
no id. The stream sends each state after it opens, and again when it has changed:

- \`server\`: the server, as \`GET /public/survival/servers/{id}\` returns it in \`server\`. A change
  of \`lastSeenAt\` alone is not sent.
- \`online\`: the players on the server, as \`GET /public/survival/servers/{id}/online\` returns them.
- \`wipes\`: the newest world, the wipe schedule and the time of the next wipe, as
  \`GET /public/survival/servers/{id}/wipes?limit=1\` returns them. A change of the numbers of
  players or of the leaders alone is not sent.
- \`live\`: the live positions, as \`GET /public/survival/servers/{id}/map/live\` returns them. If
  the live map is turned off for the caller, \`hidden\` is true.
- \`hidden { ids }\`: the newest chat messages that staff have hidden, at most 250. Remove these
  events. If staff show a hidden message again, the stream does not send the message again. Only
  callers who reach the audience \`presence\` receive the block \`hidden\`.

If the server is deleted or no longer listed, the stream ends with the reason \`gone\`. 404
\`not_found\` if the server is unknown or not listed.

${streamConventions}`,
    params: rowIdParams,
    answers: { ...buildStreamAnswers("SurvivalStreamBlock"), 404: "Error" },
    find: ({ params }, context) => findPublicServer(params.id, context),
    handle: async ({ found, request, response, caller, query }, context) => {
      const { id } = found;
      const rung = await survivalRungOf(caller, context);
      const followed = {
        stream: "survival",
        id,
        rung,
        create: () => new ServerTopic(id, context),
      } as const;
      const lastEventId = lastEventIdOf(request, query);
      await context.streams.openTopic(followed, { request, response, caller, lastEventId });
      return alreadySentAnswer;
    },
  }),
];
