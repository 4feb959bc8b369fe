import { parseArgs } from "node:util";

import type { ScriptedFault } from "./faults/faults.ts";
import type { SimulatorOptions } from "./options.ts";

export const usage = `node test/simulator/main.ts [options]
  --port n            port on loopback; 0 for any that is free (0)
  --seed text         the same seed makes the same world (1)
  --rate n            events a second (20)
  --token text        the bridge's token (simulator-token)
  --protocol 7|8      (8)
  --world full|small  size of the world (full)
  --prefix /path      before /v1 in every path
  --buffer-file path  where the buffer outlives the process
  --signup-mode mode  disabled, website, hybrid or game (hybrid)
  --link name=userId  an account that is linked from the start; may be repeated
  --faults json       a script: [{ "afterMs": 5000, "fault": "drop" }]
  --no-boot           the game process is away at the start
`;

/** Parses the command line. @throws for an unknown option */
export function readArguments(args: readonly string[]): SimulatorOptions {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      port: { type: "string", default: "0" },
      seed: { type: "string", default: "1" },
      rate: { type: "string", default: "20" },
      token: { type: "string" },
      protocol: { type: "string", default: "8" },
      world: { type: "string", default: "full" },
      prefix: { type: "string" },
      "buffer-file": { type: "string" },
      "signup-mode": { type: "string" },
      link: { type: "string", multiple: true, default: [] },
      faults: { type: "string", default: "[]" },
      "no-boot": { type: "boolean", default: false },
    },
  });
  return {
    port: numberOf("port", values.port),
    seed: values.seed,
    rate: numberOf("rate", values.rate),
    token: values.token,
    protocol: numberOf("protocol", values.protocol),
    world: values.world as "full" | "small",
    prefix: values.prefix,
    bufferFile: values["buffer-file"],
    signupMode: values["signup-mode"] as SimulatorOptions["signupMode"],
    links: values.link.map(linkOf),
    faults: JSON.parse(values.faults) as ScriptedFault[],
    boot: !values["no-boot"],
  };
}

export function numberOf(name: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`--${name} must be a number`);
  return Number(text);
}

function linkOf(text: string): { account: string; userId: number } {
  const at = text.lastIndexOf("=");
  return { account: text.slice(0, at), userId: numberOf("link", text.slice(at + 1)) };
}
