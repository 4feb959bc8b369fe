import { pruneWords } from "../../shared/content/search/words.ts";
import { defineJob } from "../job.ts";

export const pruneWordsJob = defineJob({
  queue: "content.prune-words",
  run: (_payload, context) => pruneWords(context),
});
