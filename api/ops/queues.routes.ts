import { readFileSync } from "node:fs";
import path from "node:path";

import { alreadySentAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { pageHeaders } from "../http/security-headers.ts";

/** The page's folder. Its scripts and style are static files. */
export const queuesPageFolder = path.join(import.meta.dirname, "queues-page");

const readPage = (name: string): string => readFileSync(path.join(queuesPageFolder, name), "utf8");

const page = readPage("page.html");
const signIn = readPage("sign-in.html");

const refusals: Readonly<Record<number, string>> = {
  401: "Sign in as an administrator.",
  403:
    "Your account is not an administrator, or lacks the second factor that the site requires for " +
    "staff. Sign in with another account.",
  // Administrators can use the queues page during maintenance, so ask them to sign in.
  503: "The site is not open now. Sign in as an administrator.",
};

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
    refusalPage: (status) => {
      const words = refusals[status];
      return words && signIn.replace("{{refusal}}", words);
    },
    handle: ({ response }) => {
      response.set(pageHeaders).type("html").send(page);
      return alreadySentAnswer;
    },
  }),
];
