import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";

// Serves one page that watches the event stream from another origin, as a site's front end would.

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({ options: { host: text, port: text, api: text } });
const page = readFileSync(path.join(import.meta.dirname, "page.html"), "utf8").replaceAll(
  "{{api}}",
  new URL(values.api).origin,
);
const policy = [
  "default-src 'none'",
  `connect-src ${new URL(values.api).origin}`,
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
].join("; ");

const server = createServer((request, response) => {
  const isPage = request.method === "GET" && request.url === "/";
  const type = isPage ? "text/html; charset=utf-8" : "text/plain";
  response.writeHead(isPage ? 200 : 404, {
    "Content-Type": type,
    "Content-Security-Policy": policy,
    "Cache-Control": "no-store",
  });
  response.end(isPage ? page : "Not found\n");
});
server.listen(Number(values.port), values.host);
