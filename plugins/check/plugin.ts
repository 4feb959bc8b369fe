import { parseArgs } from "node:util";

import { games } from "./payloads/payload-faults.ts";
import { checkPlugin, pluginChecks } from "./plugin/check-plugin.ts";
import {
  parseNumberOption,
  parseChoiceOption,
  refuseUnknownChecks,
  runProgram,
} from "./program.ts";

const usage = `npm run plugin:check -- [options]
  --game uo|rust     game of the plugin: a shard (uo, the default) or a survival server (rust)
  --port n           port of the check on 127.0.0.1 (8099)
  --url address      address that the plugin calls, if it is a tunnel or proxy
  --only check       run only this check; may be repeated
  --patience s       seconds to wait for an event of the game (60)
  --minute s         length of the plugin's minute in seconds; 60 for every real plugin
  --json             print the report as JSON
checks: ${pluginChecks.map(({ name }) => name).join(", ")}
`;

await runProgram(usage, (words) => {
  const { values } = parseArgs({
    args: words,
    options: {
      game: { type: "string", default: "uo" },
      port: { type: "string", default: "8099" },
      url: { type: "string" },
      only: { type: "string", multiple: true },
      patience: { type: "string", default: "60" },
      minute: { type: "string", default: "60" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  refuseUnknownChecks(values.only, pluginChecks);
  return {
    ...values,
    run: ({ say }) =>
      checkPlugin({
        game: parseChoiceOption("game", values.game, games),
        port: parseNumberOption("port", values.port),
        url: values.url,
        only: values.only,
        patience: parseNumberOption("patience", values.patience),
        minute: parseNumberOption("minute", values.minute),
        say,
        onReady: (url, key) =>
          say(`Give this line to the plugin:\n\nguildhall.setup ${url} ${key}\n`),
      }),
  };
});
