import { parseArgs } from "node:util";

import { numberOf } from "../arguments.ts";
import type { ScriptedFault } from "../faults/faults.ts";
import type { SurvivalOptions } from "./options.ts";

export const survivalUsage = `node test/simulator/survival/main.ts [options]
  --port n            port on loopback; 0 for any that is free (0)
  --seed text         the same seed makes the same world (1)
  --rate n            events a second (2)
  --token text        the bridge's token (simulator-token)
  --name text         what the server calls itself
  --framework name    oxide or carbon (oxide)
  --world full|small  size of the world (full)
  --prefix /path      before /v1 in every path
  --buffer-file path  where the buffer outlives the process
  --faults json       a script: [{ "afterMs": 5000, "fault": "drop" }]
  --world-ms n        how long after a boot the world is there (0)
  --reload-ms n       how long a plugin takes to load (500)
  --no-boot           the game process is away at the start
  --site url          URL of the calls of plugins: the game calls this site as a plugin does
  --key-file path     file with the plugin key, with --site
`;

/** The site whose plugin API the simulated game calls, and the file with its plugin key. */
export interface PluginSiteTarget {
  readonly url: string;
  readonly keyFile: string;
}

/** Parses the command line. @throws for an unknown option */
export function readSurvivalArguments(
  args: readonly string[],
): SurvivalOptions & { readonly pluginSite: PluginSiteTarget | null } {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      port: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      rate: { type: "string", default: "2" },
      token: { type: "string" },
      name: { type: "string" },
      framework: { type: "string", default: "oxide" },
      world: { type: "string", default: "full" },
      prefix: { type: "string" },
      "buffer-file": { type: "string" },
      faults: { type: "string", default: "[]" },
      "world-ms": { type: "string", default: "0" },
      "reload-ms": { type: "string", default: "500" },
      "no-boot": { type: "boolean", default: false },
      site: { type: "string" },
      "key-file": { type: "string" },
    },
  });
  return {
    port: numberOf("port", values.port),
    seed: values.seed,
    rate: numberOf("rate", values.rate),
    token: values.token,
    serverName: values.name,
    framework: values.framework as SurvivalOptions["framework"],
    world: values.world as "full" | "small",
    prefix: values.prefix,
    bufferFile: values["buffer-file"],
    faults: JSON.parse(values.faults) as ScriptedFault[],
    worldMs: numberOf("world-ms", values["world-ms"]),
    reloadMs: numberOf("reload-ms", values["reload-ms"]),
    boot: !values["no-boot"],
    pluginSite: pluginSiteOf(values.site, values["key-file"]),
  };
}

function pluginSiteOf(
  url: string | undefined,
  keyFile: string | undefined,
): PluginSiteTarget | null {
  if (url === undefined && keyFile === undefined) return null;
  if (url === undefined || keyFile === undefined) {
    throw new Error("--site and --key-file belong together");
  }
  return { url, keyFile };
}
