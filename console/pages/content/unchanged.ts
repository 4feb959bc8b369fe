import { Problem } from "../../api/problem.ts";
import { words } from "../../words/words.ts";

/**
 * Runs an action on a text that the person has read, such as its deletion.
 * @throws Problem that asks the person to read the text again, if somebody else changed it meanwhile
 */
export async function runIfUnchanged(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isStale = error instanceof Problem && error.code === "stale_revision";
    throw isStale ? new Problem(words.content.changedMeanwhile) : error;
  }
}
