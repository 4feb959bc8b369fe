import type { ControlClient } from "../bridge/calls/control.ts";
import type { FrameSource, FrameSourceOptions } from "../bridge/socket/feed.ts";
import type { SocketSettings } from "../bridge/socket/socket-options.ts";
import type { SqlClient } from "../db/sql.ts";
import type { CommandOutcome, DeliveredCommand } from "../plugin/commands.ts";
import type { StateRequest } from "./state-requests.ts";
import type { AnyGameHandlers } from "./store-part.ts";

export type SourceLink = SidecarSource | PluginSource | StatusSource | ConsoleSource;

export interface SidecarSource extends SocketSettings {
  readonly kind: "sidecar";
  connect(this: void): ControlClient;
}

export interface PluginSource {
  readonly kind: "plugin";
  readonly protocol: number;
  connect(this: void): ControlClient;
}

/** A link to a game that answers status queries without a plugin. It takes no commands. */
export interface StatusSource {
  readonly kind: "status";
  readonly host: string;
  readonly port: number;
  openFeed(this: void, options: FrameSourceOptions): FrameSource;
}

/** A call that a console executes. */
export type ConsoleCall = Pick<DeliveredCommand, "call" | "params" | "query" | "body">;

/** A period in which a console executes calls. */
export interface CommandSession {
  /** The id of the game process. */
  readonly bootId: string;
  readonly capabilities: readonly string[];
}

/** The connection to a game's own console: a source of frames that also executes calls. */
export interface CommandFrameSource extends FrameSource {
  /**
   * Returns the console's answer. If the console may have executed the call without answering, the body has
   * `mayHaveRun: true`.
   */
  execute(call: ConsoleCall): Promise<CommandOutcome>;
  /** Delivers the frames after the stored cursor again. */
  rewind(): Promise<void>;
}

export interface CommandFrameSourceOptions extends FrameSourceOptions {
  /** Called when the console starts or stops executing calls. */
  readonly onSession: (session: CommandSession | null) => void;
}

/** A link to the console of a game. The owner of the source executes the calls. */
export interface ConsoleSource {
  readonly kind: "webrcon";
  readonly host: string;
  readonly port: number;
  connect(this: void): ControlClient;
  openFeed(this: void, options: CommandFrameSourceOptions): CommandFrameSource;
}

/** A game server as ingest sees it: its link and the handling of its frames. */
export interface GameServerSource {
  /** The name of the source in `ingest_sources` and `rejected_frames`. */
  readonly name: string;
  /** Reads the stored link; null if it is off. @throws if the token cannot be decrypted */
  readLink(this: void): Promise<SourceLink | null>;
  /** Calls the listener after each change of the link. @returns a function that unsubscribes */
  onChange(this: void, changed: () => void): () => void;
  /** Tells other processes that the stored state of the link has changed. */
  tellLinkState?(this: void, connection: SqlClient): Promise<void>;
  /** Requests for data that the event stream does not contain. */
  readonly questions: readonly StateRequest[];
  /** The code that stores the frames. */
  readonly game: AnyGameHandlers;
}
