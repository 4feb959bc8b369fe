import { type PublicPushStream, pushStreamNames, streamOf } from "../../facts/streams.ts";
import { findFeatureAccess, type Visibility } from "../../shard/visibility/visibility.ts";

const runStreams: readonly PublicPushStream[] = ["event.started", "event.completed"];

/** The stream of all events about runs. */
const runStream = "event.run";

/** A stream that webhooks subscribe to: a public push stream, or `event.run` for all runs. */
export type HookStream = PublicPushStream | typeof runStream;

const isPublic = (name: string): name is PublicPushStream =>
  pushStreamNames.some((known) => known === name && streamOf(known).kind === "public");

/** All streams for webhooks, in the order of the push streams' catalog. */
export const hookStreams: readonly HookStream[] = [...pushStreamNames.filter(isPublic), runStream];

export const isRunStream = (stream: string): boolean => runStreams.some((name) => name === stream);

/** Returns the webhook streams of a push stream's events, narrowest first; none if the stream is not public. */
export function hookStreamsOf(announced: string): readonly HookStream[] {
  if (!isPublic(announced)) return [];
  return isRunStream(announced) ? [announced, runStream] : [announced];
}

/** Returns a stream's display name. */
export const findStreamLabel = (stream: HookStream): string =>
  stream === runStream ? "An event begins or ends" : streamOf(stream).label;

/**
 * Returns true if everybody may see the stream's events. Webhooks get only public events, because webhooks
 * publish outside the site.
 */
export function isPublicStream(announced: string, visibility: Visibility): boolean {
  if (!isPublic(announced)) return false;
  const spec = streamOf(announced);
  if (spec.kind !== "public" || !spec.feature) return true;
  return findFeatureAccess(visibility, spec.feature, "anonymous") === "open";
}
