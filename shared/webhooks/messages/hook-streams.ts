import { type PublicPushStream, streamNames, streamOf } from "../../facts/streams.ts";
import { accessTo, type Visibility } from "../../shard/visibility/visibility.ts";

const ofRuns: readonly PublicPushStream[] = ["event.started", "event.completed"];

/** Carries whatever is announced of runs. */
const runStream = "event.run";

/** What a webhook may be told of: the public push streams, and one for all that runs announce. */
export type HookStream = PublicPushStream | typeof runStream;

const isPublic = (name: string): name is PublicPushStream =>
  streamNames.some((known) => known === name && streamOf(known).kind === "public");

/** In the order of the push streams' catalogue. */
export const hookStreams: readonly HookStream[] = [...streamNames.filter(isPublic), runStream];

export const isOfRun = (stream: string): boolean => ofRuns.some((name) => name === stream);

/** The streams that carry what was announced so, the narrowest first; none where it is personal. */
export function hookStreamsOf(announced: string): readonly HookStream[] {
  if (!isPublic(announced)) return [];
  return isOfRun(announced) ? [announced, runStream] : [announced];
}

/** What a stream is called where people read it. */
export const labelOf = (stream: HookStream): string =>
  stream === runStream ? "An event begins or is over" : streamOf(stream).label;

/** Whether everybody may see what is announced so: what a webhook is told leaves the site. */
export function isOpenToAll(announced: string, visibility: Visibility): boolean {
  if (!isPublic(announced)) return false;
  const spec = streamOf(announced);
  if (spec.kind !== "public" || !spec.feature) return true;
  return accessTo(visibility, spec.feature, "anonymous") === "open";
}
