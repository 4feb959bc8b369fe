/** The user who caused a command, as the service states in its headers. */
export interface Actor {
  readonly userId: number | null;
  readonly username: string;
  readonly role: string;
}

interface ReceivedAck {
  readonly epoch: string;
  readonly seq: number;
  readonly at: number;
}

/** An attempt to open the stream. Its status is 101 if it was accepted. */
interface ReceivedConnection {
  readonly protocol: number | null;
  readonly epoch: string | null;
  readonly after: number | null;
  readonly at: number;
  readonly status: number;
}

interface ReceivedCall {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly requestId: string | null;
  readonly at: number;
  /** The status of the answer. Null if a fault held the answer back or spoiled it. */
  readonly status: number | null;
}

export interface ReceivedCommand extends ReceivedCall {
  readonly key: string | null;
  readonly actor: Actor | null;
  readonly body: unknown;
  /** True if the stored answer was sent and the command not executed again. */
  readonly replayed: boolean;
  readonly carriedOut: boolean;
}

/** The connections, frames and calls of the service, each list in the order of arrival. */
export interface ReceivedLog {
  readonly connections: ReceivedConnection[];
  readonly acks: ReceivedAck[];
  /** Frames of the client that the protocol does not define. */
  readonly oddFrames: string[];
  readonly calls: ReceivedCall[];
  readonly commands: ReceivedCommand[];
}

export const createReceivedLog = (): ReceivedLog => ({
  connections: [],
  acks: [],
  oddFrames: [],
  calls: [],
  commands: [],
});
