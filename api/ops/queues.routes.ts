import { sendConsole } from "../console/console-files.ts";
import { alreadySentAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";

/** The refusals after which the console asks the person to sign in, or says that the role does not suffice. */
const statusesWithPage: readonly number[] = [401, 403, 503];

export const queuesRoutes = [
  defineRoute({
    method: "get",
    path: "/api/queues",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "Open the queues page",
    description:
      "Returns an HTML page with a live view of queues, jobs and workers. If the caller is not " +
      "signed in as an administrator, or the site is in maintenance or closed, a browser " +
      "receives a sign-in form with the status of the refusal (401, 403 or 503).",
    answers: { 200: { mediaType: "text/html" } },
    refusalPage: (status) => (statusesWithPage.includes(status) ? sendConsole : undefined),
    handle: async ({ response }) => {
      await sendConsole(response);
      return alreadySentAnswer;
    },
  }),
];
