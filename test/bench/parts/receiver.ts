import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

import { NameServer } from "../../support/push/name-server.ts";
import { answerCalls } from "./answering.ts";

// A push or webhook server of a third party. It accepts each message without reading it, so that
// its cost does not matter.

const names = await NameServer.start();
for (const name of (process.env["NAMES"] ?? "").split(",")) names.say(name, ["127.0.0.1"]);
let taken = 0;
const server = createServer(
  { key: process.env["TLS_KEY"], cert: process.env["TLS_CERT"] },
  (request, response) => {
    request.resume();
    request.once("end", () => {
      taken += 1;
      response.writeHead(201).end();
    });
  },
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

answerCalls({
  where: () => ({ port: (server.address() as AddressInfo).port, dns: names.address }),
  taken: () => taken,
});
