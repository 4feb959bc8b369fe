import { parseArgs } from "node:util";

import { bridgeChecks, checkBridge, protocols } from "./bridge/check-bridge.ts";
import { games } from "./payloads/payload-faults.ts";
import {
  parseNumberOption,
  parseChoiceOption,
  refuseUnknownChecks,
  requireTextOption,
  runProgram,
} from "./program.ts";

const usage = `npm run bridge:check -- --ws url --http url --token text [options]
  --ws url           URL of the WebSocket stream, ws or wss
  --http url         URL of the calls, without /v1
  --token text       token of the sidecar
  --game uo|rust     game of the sidecar: a shard (uo, the default) or a survival server (rust)
  --protocol n       protocol version (${protocols.uo} for uo, ${protocols.rust} for rust)
  --commands         also send commands: players see a broadcast
  --only check       run only this check; may be repeated
  --patience s       seconds to wait for an event of the game (60)
  --json             print the report as JSON
checks: ${bridgeChecks.map(({ name }) => name).join(", ")}
`;

await runProgram(usage, (words) => {
  const { values } = parseArgs({
    args: words,
    options: {
      ws: { type: "string" },
      http: { type: "string" },
      token: { type: "string" },
      game: { type: "string", default: "uo" },
      protocol: { type: "string" },
      commands: { type: "boolean", default: false },
      only: { type: "string", multiple: true },
      patience: { type: "string", default: "60" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { help, json, protocol, only } = values;
  return {
    help,
    json,
    run: ({ say }) => {
      refuseUnknownChecks(only, bridgeChecks);
      return checkBridge({
        game: parseChoiceOption("game", values.game, games),
        wsUrl: requireTextOption("ws", values.ws),
        baseUrl: requireTextOption("http", values.http).replace(/\/+$/, ""),
        token: requireTextOption("token", values.token),
        protocol: protocol === undefined ? undefined : parseNumberOption("protocol", protocol),
        mayCommand: values.commands,
        only,
        patience: parseNumberOption("patience", values.patience),
        say,
      });
    },
  };
});
