import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

import { runEventFaults } from "./events/event-faults.ts";
import { runFaults } from "./faults.ts";
import { runSurvivalFaults } from "./survival/survival-faults.ts";

/** CATALOGUE of fault runs, in the order in which they run. */
const all = { service: runFaults, events: runEventFaults, survival: runSurvivalFaults } as const;

const flag = { type: "boolean", default: false } as const;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string" }, short: flag, verbose: flag },
});
const unknown = positionals.filter((name) => !Object.hasOwn(all, name));
if (unknown.length > 0) {
  const names = Object.keys(all).join(", ");
  process.stderr.write(`No such fault run: ${unknown.join(", ")}. There are ${names}.\n`);
  process.exit(78);
}
const seed = values.seed ?? randomBytes(4).toString("hex");
const results: boolean[] = [];
for (const [name, run] of Object.entries(all)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  process.stdout.write(
    `faults of ${name}, seed ${seed} (npm run faults -- ${name} --seed ${seed} meets the same)\n`,
  );
  results.push(await run({ ...values, seed }));
}
process.exit(results.every(Boolean) ? 0 : 1);
