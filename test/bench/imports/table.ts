import { writeFile } from "node:fs/promises";

import { buildTextTable } from "../../imports/tables.ts";
import { createRandom } from "../../simulator/random.ts";

const words = (
  "you the of a have it cannot see that must be in your hands to use this has been too far away " +
  "exceptional sword shield ring bonus damage resist skill increase potion scroll the ancient"
).split(" ");

const firstNumber = 500_000;

/**
 * Writes a file of texts as a game client has it. Most texts are one line long, as in real files.
 */
export async function writeTable(file: string, count: number): Promise<void> {
  const random = createRandom("a table of texts");
  const texts = Array.from({ length: count }, (_, at) => {
    const length = Math.min(200, 1 + random.logNormal(6, 0.9));
    const text = Array.from({ length }, () => random.pick(words)).join(" ");
    return [firstNumber + at * 3, random.chance(0.2) ? `${text}: ~1_val~` : text] as const;
  });
  await writeFile(file, buildTextTable(texts));
}
