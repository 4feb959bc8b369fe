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
    summary: "Runs and steps as they change",
    description: `Server-Sent Events in named blocks, which are not sent again: \`event.run\` and
\`event.step\` carry the whole run or step as it is now, one at most in 100 ms each. After \`hello\`, and after
\`reset\`, runs are read anew. \`bye\` ends the stream with the \`retry\` to wait.`,
    answers: { 200: { mediaType: streamMediaType, of: "EventRunsStreamBlock" } },
    holdsStream: true,
    refuseInWords: (reason, exchange, { streams }) => streams.refuse(reason, exchange),
    handle: async ({ request, response, caller }, { streams }) => {
      await streams.open("events", { request, response, caller });
      return alreadySent;
    },
  }),
];
