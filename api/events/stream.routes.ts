import { alreadySentAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { streamMediaType } from "../stream/sse.ts";
import { staffEventRouteOptions } from "./fields.ts";

export const eventStreamRoutes = [
  defineRoute({
    ...staffEventRouteOptions,
    set: "additive",
    method: "get",
    path: "/api/v1/admin/events/stream",
    summary: "Stream runs and steps as they change",
    description: `Sends Server-Sent Events. A block of the type \`event.run\` or \`event.step\`
contains the complete run or step as it is now. The stream sends at most one block for each run and
each step in 100 milliseconds. The stream does not send missed blocks again: read the runs after
\`hello\` and after \`reset\`. \`bye\` ends the stream: reconnect after \`retry\` milliseconds.
If too many streams are open or the service is not ready, the response is 200 as well, but the
stream contains only \`bye\`.`,
    answers: { 200: { mediaType: streamMediaType, of: "EventRunsStreamBlock" } },
    holdsStream: true,
    refuseInWords: (reason, exchange, { streams }) => streams.refuse(reason, exchange),
    handle: async ({ request, response, caller }, { streams }) => {
      await streams.open("events", { request, response, caller });
      return alreadySentAnswer;
    },
  }),
];
