import type { VNode } from "preact";

import type { AnswerOf } from "../api/call.ts";
import { words } from "../words/words.ts";
import { formatBytes, formatNumber } from "./format.ts";
import { html } from "./html.ts";

type Stored = NonNullable<AnswerOf<"GET /admin/jobs/{id}">["job"]["progress"]>;

/** The progress of a job, as the service stores it and as its stream sends it. */
export type JobProgress = Pick<Stored, "phase" | "done" | "total" | "unit">;

/** Returns the progress in words: `texts: 300 of 6,000`, `files: 1.2 MB of 48 MB`. */
export function describeProgress({ phase, done, total, unit }: JobProgress): string {
  const amount = unit === "bytes" ? formatBytes : formatNumber;
  if (total !== null && total > 0) {
    return words.queues.progressOf(phase, amount(done), amount(total));
  }
  return done > 0 ? words.queues.progress(phase, amount(done)) : phase;
}

/** The progress of a job in words and as a bar. */
export function JobProgressBar({
  progress,
}: {
  readonly progress: JobProgress | null;
}): VNode | null {
  if (!progress) return null;
  const { done, total } = progress;
  const text = describeProgress(progress);
  const bar = total !== null && total > 0 ? { max: total, value: Math.min(done, total) } : {};
  return html`<div>
    <p>${text}</p>
    <progress aria-label=${text} ...${bar}></progress>
  </div>`;
}
