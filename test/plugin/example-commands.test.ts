import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  type CallDocument,
  shardCallDocuments,
  survivalCallDocuments,
} from "../../api/bridge/document/calls.ts";
import type {
  CallInput,
  FileCall,
  CommandOptions,
} from "../../shared/platform/bridge/calls/call.ts";
import type { AnyCall, ControlClient } from "../../shared/platform/bridge/calls/control.ts";
import { createPluginControlClient } from "../../shared/platform/plugin/control.ts";
import { shardCalls } from "../../shared/shard/calls/shard-calls.ts";
import { commonSurvivalCalls, survivalCalls } from "../../shared/survival/calls/survival-calls.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { linkShardPlugin } from "../support/plugin/linked-plugin.ts";
import { buildPluginKey } from "../support/plugin/plugin-key.ts";
import { TestPlugin } from "../support/plugin/test-plugin.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

interface Linked {
  readonly plugin: TestPlugin;
  readonly control: ControlClient;
}

let server: TestServer;
let linked: Readonly<Record<"uo" | "rust", Linked>>;

const capabilities = [
  "clilocs",
  "assets",
  "atlas",
  "bodies",
  "pages",
  "towncrier",
  "signup",
  "links",
  "champions",
];

beforeAll(async () => {
  server = await startTestServer();
  const { config, listener, sequelize } = server.context;
  const admin = await signIn(server, { role: "admin" });
  const shard = await linkShardPlugin(server, admin);
  shard.capabilities = capabilities;
  const { id } = await buildSurvivalServer(server, { kind: "plugin", enabled: true });
  const source = sourceNameOf(id);
  const survival = new TestPlugin(server, await buildPluginKey(server, source));
  survival.game = "rust";
  await shard.hello();
  await survival.hello();
  // The site requests states only once in ten seconds, so reset the time of the last request.
  await query(server, "update plugin_sessions set resync_told_at = null");
  const controlOf = (of: string, protocol: number) =>
    createPluginControlClient({ source: of, protocol }, { config, listener, sequelize });
  linked = {
    uo: { plugin: shard, control: controlOf("shard", 8) },
    rust: { plugin: survival, control: controlOf(source, 13) },
  };
});
afterAll(() => server.stop());

const actor = { userId: 7, username: "robin", role: "admin" };
const order: CommandOptions = { actor };

type AnyMade = AnyCall<unknown> | FileCall;

/** Makes a call with the input from its documentation. */
function make(made: AnyMade, { control }: Linked): Promise<unknown> {
  if ("file" in made) return control.download(made);
  const { answer: _answer, ...input } = made.docs?.example ?? { answer: {} };
  const given = input as CallInput;
  // `input` is a type without a value at runtime. It differs between calls, so remove it.
  const { input: _type, ...plain } = made;
  return plain.isCommand ? control.command(plain, order, given) : control.read(plain, given);
}

const asked = (documents: readonly CallDocument[], made: readonly AnyMade[], game: "uo" | "rust") =>
  documents
    .map((document, at) => [game, document.call, document, made[at] as AnyMade] as const)
    .filter(([, , { isOfSidecar }]) => !isOfSidecar);

const all = [
  ...asked(shardCallDocuments(), shardCalls, "uo"),
  ...asked(
    survivalCallDocuments(),
    [...commonSurvivalCalls, ...Object.values(survivalCalls).flat()],
    "rust",
  ),
];

describe("the example of each call", () => {
  it.each(all)(
    "%s %s is delivered to a plugin unchanged, and its answer is accepted",
    async (game, call, { example, isCommand }, made) => {
      const { answer, ...sent } = example;
      const calling = make(made, linked[game]);
      const taken = await linked[game].plugin.serve(200, answer);
      const isNamed = isCommand && !call.endsWith("/resync");
      const named = { actor, key: expect.any(String) as string };
      expect(taken).toEqual({
        id: expect.any(String),
        call,
        ...sent,
        ...(isNamed ? named : { actor: null, key: null }),
        timeoutMs: expect.any(Number),
      });
      await expect(calling).resolves.toBeDefined();
    },
  );
});
