import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { urlOf } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { useStream } from "../../parts/use-stream.ts";
import { words } from "../../words/words.ts";
import type { ShardLink } from "./link-status.ts";
import { type LiveEvent, LiveEvents } from "./live-events.ts";

const mostShown = 10;
const path = urlOf("GET /admin/shardlink/stream", {});

/** The events of the shard, as they arrive. */
export function ShardLiveEvents({
  link,
  onFirst,
}: {
  readonly link: ShardLink;
  /** Called with the first event since the page was opened. */
  readonly onFirst: () => void;
}): VNode {
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const [first, setFirst] = useState<LiveEvent | null>(null);
  const onEvent = (data: unknown) => {
    const event = data as LiveEvent;
    if (!first) onFirst();
    setFirst((was) => was ?? event);
    setEvents((shown) => [event, ...shown].slice(0, mostShown));
  };
  const isConnected = useStream(path, { message: onEvent });
  const { gameServers } = words;
  return html`<${LiveEvents} events=${events} waiting=${waitingText(link)} first=${first}>
    <p class="soft" role="status">
      ${isConnected ? gameServers.follows : gameServers.doesNotFollow}
    </p>
  <//>`;
}

function waitingText({ kind, status, stats }: ShardLink): string | null {
  const { waiting } = words.gameServers;
  if ((stats.received ?? 0) > 0) return null;
  if (kind === "status") return waiting.never;
  return status === "connected" ? waiting.forShard : waiting.forLink;
}
