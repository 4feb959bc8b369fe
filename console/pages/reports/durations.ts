import { readTextField } from "../../parts/form.ts";
import { formatDuration } from "../../parts/format.ts";
import { words } from "../../words/words.ts";

const seconds = [3_600, 6 * 3_600, 86_400, 3 * 86_400, 7 * 86_400, 30 * 86_400, 365 * 86_400];

/** Returns the lengths of a ban that a person can choose. An empty value is a permanent ban. */
export const durationChoices = () => [
  ...seconds.map((one) => ({ value: String(one), text: formatDuration(one) })),
  { value: "", text: words.playerCommands.permanent },
];

/** Returns the chosen length in seconds; null for a permanent ban. */
export function readBanDuration(values: FormData): number | null {
  const text = readTextField(values, "duration");
  return text === "" ? null : Number(text);
}
