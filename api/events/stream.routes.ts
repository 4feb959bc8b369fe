import { alreadySent } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { streamMediaType } from "../stream/sse.ts";
import { staffEvents } from "./fields.ts";

export const eventStreamRoutes = [
  route({
    ...staffEvents,
    set: "additive",
    method: "get",
    path: "/api/v1/admin/events/stream",
    summary: "Stream runs and steps as they change",
    description: `Server-Sent Events. A block \`event.run\` or \`event.step\` carries the whole
run or step as it is now, at most one block for each run and step in 100 ms. Missed blocks are not
sent again: read the runs after \`hello\` and after \`reset\`. \`bye\` ends the stream: connect
again after \`retry\` milliseconds. A stream that is refused, because too many are open or the
service is not ready, is 200 with \`bye\` too.`,
    answers: { 200: { mediaType: streamMediaType, of: "EventRunsStreamBlock" } },
    holdsStream: true,
    refuseInWords: (reason, exchange, { streams }) => streams.refuse(reason, exchange),
    handle: async ({ request, response, caller }, { streams }) => {
      await streams.open("events", { request, response, caller });
      return alreadySent;
    },
  }),
];
