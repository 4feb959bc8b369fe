import { parseArgs } from "node:util";

import { bridgeChecks, checkBridge, protocols } from "./bridge/check-bridge.ts";
import { games } from "./payloads/payload-faults.ts";
import { numberOf, oneOf, refuseUnknown, requireText, runProgram } from "./program.ts";

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
      refuseUnknown(only, bridgeChecks);
      return checkBridge({
        game: oneOf("game", values.game, games),
        wsUrl: requireText("ws", values.ws),
        baseUrl: requireText("http", values.http).replace(/\/+$/, ""),
        token: requireText("token", values.token),
        protocol: protocol === undefined ? undefined : numberOf("protocol", protocol),
        mayCommand: values.commands,
        only,
        patience: numberOf("patience", values.patience),
        say,
      });
    },
  };
});
