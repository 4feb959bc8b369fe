import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import type { Server } from "./link-status.ts";
import { type LiveEvent, LiveEvents } from "./live-events.ts";

const everyMs = 3_000;
const mostShown = 10;

type Events = AnswerOf<"GET /admin/survival/servers/{id}/events">;

/** The newest events of a survival server. */
export function ServerLiveEvents({ server: { id, link } }: { readonly server: Server }): VNode {
  const sent = { path: { id }, query: { limit: mostShown } };
  const read = useApiRead("GET /admin/survival/servers/{id}/events", sent, everyMs);
  const events = read.data?.events ?? null;
  const first = useFirst(events);
  return html`<${ReadStateView} read=${read}>
    ${({ events: shown }: Events) =>
      html`<${LiveEvents} events=${shown} waiting=${waitingText(link)} first=${first} />`}
  <//>`;
}

function waitingText({ lastEventAt, status }: Server["link"]): string | null {
  const { waiting } = words.gameServers;
  if (lastEventAt !== null) return null;
  return status === "connected" ? waiting.forServer : waiting.forLink;
}

/** Returns the first event that arrived since the page was opened. Events are listed newest first. */
function useFirst(events: readonly LiveEvent[] | null): LiveEvent | null {
  const [opened, setOpened] = useState<number | null>(null);
  const [first, setFirst] = useState<LiveEvent | null>(null);
  useEffect(() => {
    if (events === null || first) return;
    if (opened === null) setOpened(events[0]?.id ?? 0);
    else setFirst(events.findLast(({ id }) => id > opened) ?? null);
  }, [events]);
  return first;
}
