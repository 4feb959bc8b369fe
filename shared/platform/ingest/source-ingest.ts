import { isDeepStrictEqual } from "node:util";

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { Cursor } from "../bridge/frames.ts";
import type { Feed, FeedOptions } from "../bridge/socket/feed.ts";
import { BridgeSocket, type SocketStats } from "../bridge/socket/socket.ts";
import type { Context } from "../context.ts";
import { UnreadableSecret } from "../crypto/sealed.ts";
import { firstRow } from "../db/rows.ts";
import { PluginFeed } from "../plugin/feed.ts";
import { hasUnread } from "../plugin/inbox.ts";
import { FollowUp } from "./follow-up.ts";
import type { Ownership } from "./ownership.ts";
import { reportLink } from "./report.ts";
import { restBeforeRetry } from "./rest.ts";
import type { PluginSource, SidecarSource, Source, SourceLink, StatusSource } from "./source.ts";
import { selectStream } from "./sources.sql.ts";
import { storeBatch } from "./store-batch.ts";

/** Frames of one batch at most; the next batch is whatever arrived while this one was stored. */
const batchFrames = 1_000;
const reportMs = 2_000;

/** What the socket counts, and the links to users who are none of ours, as last reported. */
export interface IngestCounts extends SocketStats {
  readonly unknownLinks: number;
}

type Settings =
  | Omit<SidecarSource, "connect">
  | Omit<PluginSource, "connect">
  | Omit<StatusSource, "openFeed">;

/** What is stored of a link: each reading of it makes another function to connect by. */
const settingsOf = (link: SourceLink): Settings =>
  ({ ...link, connect: null, openFeed: null }) as unknown as Settings;

/** Whether a link is a sidecar's, or none. */
const isOfSocket = (link: SourceLink | null): link is SidecarSource | null =>
  link === null || link.kind === "sidecar";

type IngestParts = Pick<Context, "listener" | "log" | "sequelize">;

/** Takes in the live events of a game server for as long as this process owns the source. */
export class SourceIngest {
  readonly #context: IngestParts;
  readonly #source: Source;
  readonly #owner: Ownership;
  #feed: Feed;
  readonly #followUp: FollowUp;
  /** What the socket was last given. */
  #linked: Settings | null = null;
  #duplicates = 0;
  #unknownLinks = 0;
  #settings: Promise<void> = Promise.resolve();
  #ending = new AbortController().signal;

  constructor(context: IngestParts, source: Source, owner: Ownership) {
    this.#context = context;
    this.#source = source;
    this.#owner = owner;
    this.#followUp = new FollowUp(owner, source.questions, context.log);
    this.#feed = this.#openSocket();
  }

  get stats(): IngestCounts {
    return { ...this.#feed.stats, unknownLinks: this.#unknownLinks };
  }

  /** Runs until the signal aborts or the source is lost. @throws the reason of the loss */
  async run(signal: AbortSignal): Promise<void> {
    this.#ending = AbortSignal.any([signal, this.#owner.lost]);
    const unlisten = this.#source.onChange(() => void this.#follow());
    const unlistenGap = this.#context.listener.onGap(() => this.#follow());
    const reporting = setInterval(() => void this.#report(), reportMs);
    try {
      await this.#reload();
      await this.#takeIn(this.#ending);
    } finally {
      clearInterval(reporting);
      unlisten();
      unlistenGap();
      // Waited for, because a reload that is under way would connect the stopped socket.
      await this.#settings.catch(() => undefined);
      await this.#feed.stop();
      this.#followUp.stop();
    }
    this.#owner.lost.throwIfAborted();
  }

  /** Stores batch after batch; one that was not stored is taken in again from the stored cursor. */
  async #takeIn(signal: AbortSignal): Promise<void> {
    const { log } = this.#context;
    while (!signal.aborted) {
      const frames = await this.#feed.nextBatch(batchFrames, signal).catch(() => []);
      if (frames.length === 0) continue;
      try {
        this.#feed.committed(await storeBatch(frames, this.#owner, this.#source, log));
        this.#owner.noteBeat();
        this.#followUp.after(frames);
      } catch (error) {
        log.error({ err: error, frames: frames.length }, "a batch was not stored");
        if (!signal.aborted) await this.#reload();
        await restBeforeRetry(signal);
      }
    }
  }

  async #readCursor(): Promise<Cursor | null> {
    const stored = await this.#owner.use((connection) =>
      firstRow<Pick<IngestSource, "epoch" | "seq">>(connection, selectStream, [this.#owner.source]),
    );
    const { epoch, seq } = stored ?? {};
    return epoch && typeof seq === "number" ? { epoch, seq } : null;
  }

  /** Connects anew, at once, with the configuration that is stored now. */
  #reload(): Promise<void> {
    return this.#settle(() => this.#connect(false));
  }

  /** The same after a change, which may be none of what a link that stands is made of. */
  #follow(): Promise<void> {
    return this.#settle(() => this.#connect(true));
  }

  #settle(connect: () => Promise<void>): Promise<void> {
    this.#settings = this.#settings.then(connect, connect);
    return this.#settings;
  }

  async #connect(keepsStanding: boolean): Promise<void> {
    const link = await this.#readLink();
    if (this.#ending.aborted) return;
    const settings = link && settingsOf(link);
    const stands = this.#feed.status.state === "connected";
    if (keepsStanding && stands && isDeepStrictEqual(settings, this.#linked)) return;
    this.#linked = settings;
    this.#followUp.use(link && link.kind !== "status" ? link.connect() : null);
    await this.#open(link);
    await this.#report();
  }

  /** Reads from where the link leads now; null reads nothing. */
  async #open(link: SourceLink | null): Promise<void> {
    const { sequelize } = this.#context;
    // What was acknowledged to a plugin is stored, though its link is off or has another kind since.
    const isLeft = link?.kind !== "plugin" && (await hasUnread(this.#source.name, sequelize));
    const former = this.#feed;
    if (!isLeft && isOfSocket(link) && former instanceof BridgeSocket) return former.restart(link);
    this.#duplicates = 0;
    // The next feed comes first: a stopped one gives no batch, and would be asked again and again.
    this.#feed = isLeft ? this.#openInbox(0, () => void this.#reload()) : this.#openFeed(link);
    await former.stop();
  }

  #openFeed(link: SourceLink | null): Feed {
    if (link?.kind === "plugin") return this.#openInbox(link.protocol);
    if (link?.kind === "status") return link.openFeed(this.#feedOptions());
    const socket = this.#openSocket();
    socket.restart(link);
    return socket;
  }

  #openSocket(): BridgeSocket {
    return new BridgeSocket(this.#feedOptions());
  }

  /** @param onDrained of an inbox that is read to its end alone */
  #openInbox(protocol: number, onDrained?: () => void): PluginFeed {
    const { listener, sequelize } = this.#context;
    const source = this.#source.name;
    const parts = { source, protocol, listener, sequelize };
    return new PluginFeed({ ...this.#feedOptions(), ...parts, onDrained });
  }

  #feedOptions(): FeedOptions {
    return {
      cursor: () => this.#readCursor(),
      log: this.#context.log,
      onStatus: () => void this.#report(),
    };
  }

  /** Tries until the database answers: a change of the link is notified only once. */
  async #readLink(): Promise<SourceLink | null> {
    const { log } = this.#context;
    const { name: source, readLink } = this.#source;
    while (!this.#ending.aborted) {
      try {
        return await readLink();
      } catch (error) {
        log.warn({ err: error, source }, "the link to the game server could not be read");
        if (error instanceof UnreadableSecret) return null;
      }
      await restBeforeRetry(this.#ending);
    }
    return null;
  }

  async #report(): Promise<void> {
    const { status, stats } = this.#feed;
    const duplicates = stats.duplicates - this.#duplicates;
    this.#duplicates = stats.duplicates;
    const report = { status, stats, duplicates };
    try {
      this.#unknownLinks = await reportLink(this.#owner, report);
    } catch (error) {
      this.#context.log.warn({ err: error }, "the state of the link was not written");
    }
  }
}
