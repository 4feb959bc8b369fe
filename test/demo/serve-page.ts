import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";

import { forwardRequest } from "./forward.ts";
import { RecentEvents } from "./recent-events.ts";

// Serves a page that follows the event stream from another origin, like the web app of a site.

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({ options: { host: text, port: text, api: text } });
const { origin } = new URL(values.api);
const recent = new RecentEvents(origin);
void recent.follow();

const policy = [
  "default-src 'none'",
  `connect-src 'self' ${origin}`,
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

interface File {
  readonly type: string;
  readonly text: string;
}

const readFile = (name: string, type: string): File => ({
  type: `${type}; charset=utf-8`,
  text: readFileSync(path.join(import.meta.dirname, "page", name), "utf8").replaceAll(
    "{{api}}",
    origin,
  ),
});

const files: Readonly<Record<string, File>> = {
  "/": readFile("page.html", "text/html"),
  "/page.css": readFile("page.css", "text/css"),
  "/page.js": readFile("page.js", "text/javascript"),
  "/account": readFile("account.html", "text/html"),
  "/login": readFile("account.html", "text/html"),
  "/account.js": readFile("account.js", "text/javascript"),
  "/sentences.js": readFile("sentences.js", "text/javascript"),
  "/favicon.ico": readFile("icon.svg", "image/svg+xml"),
};

function fileAt(target: string): File | undefined {
  const [url = ""] = target.split("?");
  if (url !== "/recent.json") return Object.hasOwn(files, url) ? files[url] : undefined;
  return { type: "application/json", text: JSON.stringify(recent.events) };
}

const server = createServer((request, response) => {
  if (request.url?.startsWith("/api/")) {
    forwardRequest(request, response, origin);
    return;
  }
  const file = request.method === "GET" ? fileAt(request.url ?? "") : undefined;
  response.writeHead(file ? 200 : 404, {
    "Content-Type": file?.type ?? "text/plain",
    "Content-Security-Policy": policy,
    "Cache-Control": "no-store",
  });
  response.end(file?.text ?? "Not found\n");
});
server.listen(Number(values.port), values.host);
