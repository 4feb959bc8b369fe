import { parseArgs } from "node:util";

import { bridgeChecks, checkBridge, protocols } from "./bridge/check-bridge.ts";
import { games } from "./payloads/payload-faults.ts";
import { numberOf, oneOf, refuseUnknown, requireText, runProgram } from "./program.ts";

const usage = `npm run bridge:check -- --ws url --http url --token text [options]
  --ws url           where the stream is opened, ws or wss
  --http url         of the control plane, without /v1
  --token text       the bridge's token
  --game uo|rust     whose sidecar it is: a shard's or a survival server's (uo)
  --protocol n       (${protocols.uo} for uo, ${protocols.rust} for rust)
  --commands         give commands too: players see a broadcast
  --only check       one check; may be repeated
  --patience s       seconds that the game has to do something (60)
  --json             the report as JSON
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
