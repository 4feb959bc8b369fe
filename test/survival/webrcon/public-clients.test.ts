import { Client } from "rustrcon";
import { afterEach, describe, expect, it } from "vitest";
import WebRcon from "webrconjs";

import { waitUntil } from "../../support/clock/wait.ts";
import { anna, bert, Consoles } from "./started-feed.ts";

const consoles = new Consoles();
afterEach(() => consoles.stopAll());

const password = "hunter2";
type Message = Readonly<Record<string, unknown>>;

/** A public console client, written by others. Its field names are those of the game. */
interface PublicClient {
  readonly messages: Message[];
  readonly failures: unknown[];
  isOpen: boolean;
  send(message: string, identifier: number): void;
  end(): void;
}

const clients = {
  rustrcon: (port: number, given: string): PublicClient => {
    const client = new Client({ ip: "127.0.0.1", port, password: given });
    const own: PublicClient = {
      messages: [],
      failures: [],
      isOpen: false,
      send: (message, identifier) => client.send(message, "test", identifier),
      end: () => client.destroy(),
    };
    client.on("connected", () => (own.isOpen = true));
    client.on("error", (error) => own.failures.push(error));
    client.on("message", ({ content, Identifier, Type }) =>
      own.messages.push({ content, identifier: Identifier, type: Type }),
    );
    client.login();
    return own;
  },
  webrconjs: (port: number, given: string): PublicClient => {
    const client = new WebRcon("127.0.0.1", port);
    const own: PublicClient = {
      messages: [],
      failures: [],
      isOpen: false,
      send: (message, identifier) => client.run(message, identifier),
      end: () => client.disconnect(),
    };
    client.on("connect", () => (own.isOpen = true));
    client.on("error", (error) => own.failures.push(error));
    client.on("message", ({ message, identity, type }) =>
      own.messages.push({ content: message, identifier: identity, type }),
    );
    client.connect(given);
    return own;
  },
} as const;

describe.each(Object.entries(clients))("the public client %s", (_name, connect) => {
  it("sends commands to the simulated console and receives its lines", async () => {
    const simulator = await consoles.start({ password });
    const client = connect(simulator.port, password);
    await waitUntil("the client is connected", () => client.isOpen);
    simulator.join(anna.steamId, anna.name);
    simulator.join(bert.steamId, bert.name);
    client.send("server.seed", 1_001);
    client.send("oxide.unknown", 1_002);
    client.send("kick Bert", 1_003);
    simulator.chat(anna.steamId, "gg");
    await waitUntil("the chat arrives", () =>
      client.messages.some(({ content }) => JSON.stringify(content).includes("gg")),
    );
    await waitUntil("the kick is answered", () =>
      client.messages.some(({ identifier }) => identifier === 1_003),
    );
    const answers = client.messages.filter(({ identifier }) => Number(identifier) > 1_000);
    expect(answers.map(({ identifier, content }) => [identifier, content])).toEqual([
      [1_001, 'server.seed: "1337"'],
      [1_003, "Kicked: Bert"],
    ]);
    expect(client.failures).toEqual([]);
    client.end();
  });

  it("is refused with a wrong password", async () => {
    const simulator = await consoles.start({ password });
    const client = connect(simulator.port, "wrong");
    await waitUntil("the client fails", () => client.failures.length > 0);
    expect(client.isOpen).toBe(false);
  });
});
