import { readFileSync } from "node:fs";
import path from "node:path";

import { alreadySent } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { pageHeaders } from "../http/security-headers.ts";

/** The page's own folder; its script and style are files, not routes. */
export const queuesPageFolder = path.join(import.meta.dirname, "queues-page");

const page = readFileSync(path.join(queuesPageFolder, "page.html"));

export const queuesRoutes = [
  route({
    method: "get",
    path: "/api/queues",
    gate: "roles:admin",
    set: "additive",
    tag: "Operations",
    summary: "The live page of the queues",
    answers: { 200: { mediaType: "text/html" } },
    handle: ({ response }) => {
      response.set(pageHeaders).type("html").send(page);
      return alreadySent;
    },
  }),
];
