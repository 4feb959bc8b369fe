import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

import { runFaults } from "./faults.ts";

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({ options: { seed: { type: "string" }, short: flag, verbose: flag } });
const seed = values.seed ?? randomBytes(4).toString("hex");
process.stdout.write(`faults, seed ${seed} (npm run faults -- --seed ${seed} meets the same)\n`);
process.exit((await runFaults({ ...values, seed })) ? 0 : 1);
