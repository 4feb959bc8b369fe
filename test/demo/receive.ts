import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { NameServer } from "../support/push/name-server.ts";
import { UserAgent } from "../support/push/user-agent.ts";
import { Receiver } from "../support/receiver/receiver.ts";
import { readReceiver, receiverName } from "./receiver-kept.ts";
import { DemoWebhook } from "./webhook-kept.ts";

// A push relay with one device, and the receiver of one webhook. Prints the subscription of the device and the
// settings of the webhook, and shows the messages that both received, newest first. A name server of its own
// resolves the receiver's name and the names of this machine.

const shown = 50;

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({
  options: { host: text, port: text, relay: text, folder: text },
});
const kept = readReceiver(values.folder);
const relayPort = Number(values.relay);
const names = await NameServer.start(relayPort, async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address),
);
names.say(receiverName, ["127.0.0.1"]);
const receiver = await Receiver.startWith(kept.certificate, relayPort);
const device = receiver.device(receiverName, new UserAgent(kept.keys));
const webhook = new DemoWebhook(receiver.hook(receiverName, "/webhook"), values.folder);

const messages = () =>
  device.received
    .slice(-shown)
    .toReversed()
    .map(({ payload, headers: { ttl, urgency, topic }, claims, receivedAt }) => {
      return { receivedAt, payload, ttl, urgency, topic, signedFor: claims.aud };
    });

type Answer = (request: IncomingMessage) => unknown;

const answers: Readonly<Record<string, Answer>> = {
  "GET /": messages,
  "GET /subscription": () => ({ ...device.subscription, device_name: "The demo's receiver" }),
  "GET /webhook": () => webhook.asked,
  "POST /webhook": async (request) => {
    webhook.learn(await readText(request));
    return { learned: true };
  },
  "GET /deliveries": () => webhook.deliveries,
};

async function answerOf(request: IncomingMessage): Promise<readonly [number, unknown]> {
  const route = `${request.method} ${request.url}`;
  const answer = Object.hasOwn(answers, route) ? answers[route] : undefined;
  if (!answer) return [404, { error: "Not found" }];
  try {
    return [200, await answer(request)];
  } catch (error) {
    return [400, { error: String(error) }];
  }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = await answerOf(request);
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}

const server = createServer((request, response) => void respond(request, response));
server.listen(Number(values.port), values.host);
