import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Rung } from "../../shared/platform/access/roles.ts";
import { feedKinds } from "../../shared/survival/feed/feed-text.ts";
import { isFeedKindShown } from "../../shared/survival/feed/feed.ts";
import { shortestKeptMs } from "../../shared/survival/feed/prune-events.ts";
import {
  findStreamStart,
  readHiddenChat,
  readStreamedEvents,
  type StreamedEvent,
  toFeedEvent,
  wasEventInFeed,
} from "../../shared/survival/feed/streamed-events.ts";
import {
  type LiveMaps,
  readLiveMap,
  type VisibleLiveMap,
} from "../../shared/survival/map/live-maps.ts";
import { type Presence, readPresence } from "../../shared/survival/players/presence.ts";
import { findListedServer, type ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import { findLiveAccess } from "../../shared/survival/visibility/map-view.ts";
import { accessOf, type CallerAccess } from "../../shared/survival/visibility/visibility.ts";
import {
  addPlayersAndLeaders,
  findWipes,
  type WipeRecord,
} from "../../shared/survival/wipes/read-wipes.ts";
import type { Audience } from "../stream/audience.ts";
import { type Frame, FrameCache } from "../stream/frames.ts";
import { encodeBlock } from "../stream/sse.ts";
import type { TopicState, TopicChanges, TopicSource } from "../stream/topic.ts";
import { viewLiveMap } from "./map-views.ts";
import { viewPresence, viewWipes } from "./tab-views.ts";
import { viewServer } from "./views.ts";

type TopicContext = SiteContext & { readonly liveMaps: LiveMaps };

/** Maximum size of one server's events in memory: small, because a site may have many servers. */
const history = { events: 500, payloadChars: 1024 * 1024 };
const warmEvents = 250;
const pageRows = 250;
/** Maximum number of hidden messages that are read. `RecentEvents` keeps up to twice `history.events`. */
const hiddenRead = 2 * history.events;
/** Maximum number of ids in the state `hidden`. */
const hiddenShown = 250;
/** The player counts and the leaders of a world are read again after this time. */
const numbersMs = 60_000;

/** The states of a server, as they were last read from the database. */
interface ServerStates {
  readonly record: ServerRecord;
  readonly world: WorldState;
  /** The online players, by the key that `presenceKeyOf` returns for an access level. */
  readonly presence: ReadonlyMap<string, Presence>;
}

/** The newest world, if there is one. `numbersReadAt` is on the `performance.now()` clock. */
interface WorldState {
  readonly wipes: readonly WipeRecord[];
  readonly numbersReadAt: number;
}

/** The feed and the states of one survival server, in the formats of its public routes. */
export class ServerTopic implements TopicSource<StreamedEvent> {
  readonly history = history;
  readonly warmEvents = warmEvents;
  readonly keptMs = shortestKeptMs;
  readonly #serverId: number;
  readonly #context: TopicContext;
  readonly #frames = new FrameCache<StreamedEvent, Audience>((event, { rung }) =>
    this.#encode(event, this.#accessOf(rung)),
  );
  /** The ids of the newest hidden chat messages, oldest first. */
  #hiddenChat: readonly number[] = [];
  #states: ServerStates | undefined;

  constructor(serverId: number, context: TopicContext) {
    this.#serverId = serverId;
    this.#context = context;
  }

  findStart(count: number): Promise<number> {
    return findStreamStart(this.#serverId, count, this.#context);
  }

  readAfter(afterId: number, limit: number): Promise<StreamedEvent[]> {
    return readStreamedEvents(this.#serverId, feedKinds, { afterId, limit }, this.#context);
  }

  readMissed(afterId: number, untilId: number, { rung }: Audience): Promise<StreamedEvent[]> {
    const seesPresence = this.#seesPresence(this.#accessOf(rung));
    const kinds = feedKinds.filter((kind) => isFeedKindShown(kind, seesPresence));
    const range = { afterId, untilId, limit: pageRows };
    return readStreamedEvents(this.#serverId, kinds, range, this.#context);
  }

  isStreamed({ hidden }: StreamedEvent): boolean {
    return !hidden;
  }

  wasStreamed(id: number): Promise<boolean> {
    return wasEventInFeed(this.#serverId, id, this.#context);
  }

  frameOf(event: StreamedEvent, audience: Audience): Frame {
    // Staff may have hidden the message after the event was read.
    if (event.hidden || this.#hiddenChat.includes(event.id)) return null;
    return this.#frames.frameOf(event, audience, this.#context.survivalVisibility.current);
  }

  onNews(heard: (lastId: number) => void): () => void {
    return this.#context.listener.on("survival_events", ({ serverId, lastId }) => {
      if (serverId === this.#serverId) heard(lastId);
    });
  }

  onChange(changed: TopicChanges): () => void {
    const { listener, liveMaps, survivalVisibility } = this.#context;
    const ifOwn = (act: () => void) => (serverId: number) => {
      if (serverId === this.#serverId) act();
    };
    const whenStored = ifOwn(changed.stored);
    const ends = [
      listener.on("survival_states", ({ serverId, chat }) => {
        if (chat !== true) whenStored(serverId);
        else if (serverId === this.#serverId) changed.hidden();
      }),
      listener.on("survival_servers", ({ serverId }) => whenStored(serverId)),
      liveMaps.onFrame(ifOwn(changed.inMemory)),
      survivalVisibility.onRead(() => {
        changed.inMemory();
        changed.stored();
      }),
    ];
    return () => ends.forEach((end) => end());
  }

  async readStates(rungs: readonly Rung[]): Promise<boolean> {
    const record = await findListedServer(this.#serverId, this.#context);
    if (!record) return false;
    const presence = new Map<string, Presence>();
    for (const access of rungs.map((rung) => this.#accessOf(rung))) {
      const key = presenceKeyOf(access);
      if (!presence.has(key)) {
        presence.set(key, await readPresence(record, access, this.#context));
      }
    }
    this.#states = { record, world: await this.#readWorld(), presence };
    return true;
  }

  forgetStates(): void {
    this.#states = undefined;
  }

  async readHidden(): Promise<void> {
    this.#hiddenChat = await readHiddenChat(this.#serverId, hiddenRead, this.#context);
  }

  describeStates(rung: Rung): readonly TopicState[] {
    if (!this.#states) return [];
    const access = this.#accessOf(rung);
    const { record, world, presence } = this.#states;
    const ids = this.#hiddenChat.slice(-hiddenShown);
    const players = presence.get(presenceKeyOf(access));
    const audience = access.visibility.presence;
    return [
      { event: "server", data: viewServer(record, access), minor: ["lastSeenAt"] },
      ...(players ? [{ event: "online", data: viewPresence({ ...players, audience }) }] : []),
      {
        event: "wipes",
        data: viewWipes(record, world.wipes),
        minor: ["players", "peak", "leaders"],
      },
      this.#describeLiveMap(record, access),
      ...(this.#seesPresence(access) ? [{ event: "hidden", data: { ids } }] : []),
    ];
  }

  /** Reads the newest world. Its player counts and its leaders may be a minute old. */
  async #readWorld(): Promise<WorldState> {
    const [wipe] = await findWipes(this.#serverId, { limit: 1 }, this.#context);
    const known = this.#states?.world;
    const [former] = known?.wipes ?? [];
    const now = performance.now();
    if (wipe && known && former?.wipe.id === wipe.id && now - known.numbersReadAt < numbersMs) {
      return { ...known, wipes: [{ ...former, wipe }] };
    }
    const wipes = await addPlayersAndLeaders(wipe ? [wipe] : [], this.#context);
    return { wipes, numbersReadAt: now };
  }

  #describeLiveMap(record: ServerRecord, access: CallerAccess): TopicState {
    const state = findLiveAccess(access.visibility, access.rung);
    if (state === "off") return { event: "live", data: viewLiveMap(noLiveMap) };
    const data = viewLiveMap(readLiveMap(record, access, this.#context.liveMaps));
    return { event: "live", data, ...(state === "hidden" && { minor: ["at", "gameTime"] }) };
  }

  #encode(event: StreamedEvent, access: CallerAccess): Frame {
    const seesPresence = this.#seesPresence(access);
    if (!isFeedKindShown(event.kind, seesPresence)) return null;
    const data = toFeedEvent(event, { seesPresence, isStaff: access.reaches("staff") });
    return encodeBlock({ id: event.id, data });
  }

  #accessOf(rung: Rung): CallerAccess {
    return accessOf(rung, this.#context.survivalVisibility.current);
  }

  #seesPresence({ visibility, reaches }: CallerAccess): boolean {
    return reaches(visibility.presence);
  }
}

/** Sent instead of the live map to callers below staff while the live map is turned off. */
const noLiveMap = {
  at: null,
  stale: true,
  gameTime: null,
  hidden: true,
  audience: "staff",
  layers: {},
} as const satisfies VisibleLiveMap;

const presenceKeyOf = ({ visibility, reaches }: CallerAccess): string =>
  `${reaches(visibility.presence)} ${reaches(visibility.roster)}`;
