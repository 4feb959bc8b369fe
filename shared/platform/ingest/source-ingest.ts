import { isDeepStrictEqual } from "node:util";

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { Cursor } from "../bridge/frames.ts";
import type { FrameSource, FrameSourceOptions } from "../bridge/socket/feed.ts";
import { BridgeSocket, type SocketStats } from "../bridge/socket/socket.ts";
import type { Context } from "../context.ts";
import { UnreadableSecretError } from "../crypto/sealed.ts";
import { firstRow } from "../db/rows.ts";
import { InboxReader } from "../plugin/feed.ts";
import { hasUnreadCalls } from "../plugin/inbox.ts";
import { ConsoleCommands } from "./console-commands.ts";
import type { SourceOwnership } from "./ownership.ts";
import { storeLinkReport } from "./report.ts";
import { waitBeforeRetry } from "./retry-delay.ts";
import type {
  ConsoleSource,
  CommandFrameSource,
  PluginSource,
  SidecarSource,
  GameServerSource,
  SourceLink,
  StatusSource,
} from "./source.ts";
import { selectStreamSql } from "./sources.sql.ts";
import { StateRequester } from "./state-requests.ts";
import { storeFrames } from "./store-batch.ts";

/** Maximum number of frames per batch. Frames that arrive while a batch is stored form the next one. */
const batchFrames = 1_000;
const reportMs = 2_000;

/** The counts of the socket, and the last reported number of game account links to unknown users. */
export interface IngestCounts extends SocketStats {
  readonly unknownLinks: number;
}

type Settings =
  | Omit<SidecarSource, "connect">
  | Omit<PluginSource, "connect">
  | Omit<StatusSource, "openFeed">
  | Omit<ConsoleSource, "connect" | "openFeed">;

/**
 * Returns the settings of a link without its functions, which differ on each read, so that two reads can be
 * compared.
 */
const settingsOf = (link: SourceLink): Settings =>
  ({ ...link, connect: null, openFeed: null }) as unknown as Settings;

/** True for the link of a sidecar, and if there is no link. */
const usesSocket = (link: SourceLink | null): link is SidecarSource | null =>
  link === null || link.kind === "sidecar";

type IngestServices = Pick<Context, "listener" | "log" | "sequelize">;

/**
 * The reason to open the link: a batch failed, the link was saved, or notifications may have been missed. A feed
 * retries by itself, so `gap` does not open an unchanged link again.
 */
type OpenReason = "batch" | "saved" | "gap";

/** Stores the live events of a game server while this process owns the source. */
export class SourceIngest {
  readonly #context: IngestServices;
  readonly #source: GameServerSource;
  readonly #owner: SourceOwnership;
  #feed: FrameSource;
  readonly #followUp: StateRequester;
  readonly #commands: ConsoleCommands;
  /** The feed, if it is a console. */
  #console: CommandFrameSource | null = null;
  /** The settings with which the feed was opened. */
  #linked: Settings | null = null;
  #duplicates = 0;
  #unknownLinks = 0;
  #settings: Promise<void> = Promise.resolve();
  #ending = new AbortController().signal;

  constructor(context: IngestServices, source: GameServerSource, owner: SourceOwnership) {
    this.#context = context;
    this.#source = source;
    this.#owner = owner;
    this.#followUp = new StateRequester(owner, source.questions, context.log);
    this.#commands = new ConsoleCommands(owner, context);
    this.#feed = this.#openSocket();
  }

  get stats(): IngestCounts {
    return { ...this.#feed.stats, unknownLinks: this.#unknownLinks };
  }

  /** Runs until the signal aborts or the source is lost. @throws the reason of the loss */
  async run(signal: AbortSignal): Promise<void> {
    this.#ending = AbortSignal.any([signal, this.#owner.lost]);
    const unlisten = this.#source.onChange(() => void this.#reload("saved"));
    const unlistenGap = this.#context.listener.onGap(() => this.#reload("gap"));
    const reporting = setInterval(() => void this.#report(), reportMs);
    try {
      await this.#reload("batch");
      await this.#takeIn(this.#ending);
    } finally {
      clearInterval(reporting);
      unlisten();
      unlistenGap();
      // Wait for a reload in progress: otherwise it would connect the stopped socket.
      await this.#settings.catch(() => undefined);
      await this.#commands.end();
      await this.#feed.stop();
      this.#followUp.stop();
    }
    this.#owner.lost.throwIfAborted();
  }

  /** Stores one batch after another. If a batch fails, its frames are read again from the stored cursor on. */
  async #takeIn(signal: AbortSignal): Promise<void> {
    const { log } = this.#context;
    while (!signal.aborted) {
      const frames = await this.#feed.nextBatch(batchFrames, signal).catch(() => []);
      if (frames.length === 0) continue;
      try {
        this.#feed.committed(await storeFrames(frames, this.#owner, this.#source, log));
        this.#owner.postponeHeartbeat();
        this.#followUp.handleStored(frames);
      } catch (error) {
        log.error(
          { err: error, frames: frames.length },
          "a batch of events could not be stored and is retried",
        );
        if (!signal.aborted) await this.#reload("batch");
        await waitBeforeRetry(signal);
      }
    }
  }

  async #readCursor(): Promise<Cursor | null> {
    const stored = await this.#owner.run((connection) =>
      firstRow<Pick<IngestSource, "epoch" | "seq">>(connection, selectStreamSql, [
        this.#owner.source,
      ]),
    );
    const { epoch, seq } = stored ?? {};
    return epoch && typeof seq === "number" ? { epoch, seq } : null;
  }

  #reload(reason: OpenReason): Promise<void> {
    const connect = () => this.#connect(reason);
    this.#settings = this.#settings.then(connect, connect);
    return this.#settings;
  }

  async #connect(reason: OpenReason): Promise<void> {
    const link = await this.#readLink();
    if (this.#ending.aborted) return;
    const settings = link && settingsOf(link);
    const isSame = isDeepStrictEqual(settings, this.#linked);
    if (isSame && this.#keepsFeed(reason)) return;
    if (isSame && reason === "batch" && this.#console) return this.#rewind(this.#console);
    this.#linked = settings;
    this.#followUp.setControl(link && link.kind !== "status" ? link.connect() : null);
    await this.#open(link);
    await this.#report();
  }

  /** Retries until the database responds, because a console does not send its output again. */
  async #rewind(feed: CommandFrameSource): Promise<void> {
    while (!this.#ending.aborted) {
      try {
        return await feed.rewind();
      } catch (error) {
        this.#context.log.warn({ err: error }, "the stored position could not be read");
      }
      await waitBeforeRetry(this.#ending);
    }
  }

  /**
   * Returns true if the feed of an unchanged link stays open. The game bans addresses whose sign-ins fail too
   * often, so avoid needless new connections.
   */
  #keepsFeed(reason: OpenReason): boolean {
    if (reason === "batch") return false;
    return this.#feed.status.state === "connected" || (reason === "gap" && this.#console !== null);
  }

  /** Opens the feed of a link. Without a link, the feed delivers no frames. */
  async #open(link: SourceLink | null): Promise<void> {
    const { sequelize } = this.#context;
    // Store the calls that were acknowledged to a plugin, even if its link is now off or of another kind.
    const hasUnreadInbox =
      link?.kind !== "plugin" && (await hasUnreadCalls(this.#source.name, sequelize));
    const former = this.#feed;
    if (!hasUnreadInbox && usesSocket(link) && former instanceof BridgeSocket) {
      return former.restart(link);
    }
    this.#duplicates = 0;
    const commandsEnd = this.#commands.end();
    this.#console = null;
    // Replace the feed before stopping it: a stopped feed returns no batch and does not wait, so the loop would
    // spin.
    this.#feed = hasUnreadInbox
      ? this.#openInbox(0, () => void this.#reload("batch"))
      : this.#openFeed(link);
    await commandsEnd;
    await former.stop();
  }

  #openFeed(link: SourceLink | null): FrameSource {
    if (link?.kind === "plugin") return this.#openInbox(link.protocol);
    if (link?.kind === "status") return link.openFeed(this.#feedOptions());
    if (link?.kind === "webrcon") return this.#openConsole(link);
    const socket = this.#openSocket();
    socket.restart(link);
    return socket;
  }

  #openConsole(link: ConsoleSource): CommandFrameSource {
    const feed: CommandFrameSource = link.openFeed({
      ...this.#feedOptions(),
      onSession: (session) => {
        if (this.#console === feed) this.#commands.follow(feed, session);
      },
    });
    this.#console = feed;
    // End the session of an earlier owner, and mark the commands that it took as lost.
    this.#commands.follow(feed, null);
    return feed;
  }

  #openSocket(): BridgeSocket {
    return new BridgeSocket(this.#feedOptions());
  }

  /** @param onDrained called when the inbox is empty; only for an inbox whose link is off */
  #openInbox(protocol: number, onDrained?: () => void): InboxReader {
    const { listener, sequelize } = this.#context;
    const source = this.#source.name;
    const parts = { source, protocol, listener, sequelize };
    return new InboxReader({ ...this.#feedOptions(), ...parts, onDrained });
  }

  #feedOptions(): FrameSourceOptions {
    return {
      cursor: () => this.#readCursor(),
      log: this.#context.log,
      onStatus: () => void this.#report(),
    };
  }

  /** Retries until the database responds, because a change of the link is notified only once. */
  async #readLink(): Promise<SourceLink | null> {
    const { log } = this.#context;
    const { name: source, readLink } = this.#source;
    while (!this.#ending.aborted) {
      try {
        return await readLink();
      } catch (error) {
        log.warn({ err: error, source }, "the link to the game server could not be read");
        if (error instanceof UnreadableSecretError) return null;
      }
      await waitBeforeRetry(this.#ending);
    }
    return null;
  }

  async #report(): Promise<void> {
    const { status, stats } = this.#feed;
    const duplicates = stats.duplicates - this.#duplicates;
    this.#duplicates = stats.duplicates;
    const report = { status, stats, duplicates };
    try {
      this.#unknownLinks = await storeLinkReport(this.#owner, report, this.#source.tellLinkState);
    } catch (error) {
      this.#context.log.warn({ err: error }, "the state of the link could not be stored");
    }
  }
}
