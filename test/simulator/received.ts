/** The user of a command, as the service reports it. */
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

/** One attempt to open the stream, with its status; 101 if accepted. */
interface ReceivedConnection {
  readonly protocol: number | null;
  readonly epoch: string | null;
  readonly after: number | null;
  readonly at: number;
  readonly status: number;
}

interface ReceivedCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly requestId: string | null;
  readonly at: number;
  /** The status of the answer; null if a fault held or spoiled it. */
  readonly status: number | null;
}

export interface ReceivedCommand extends ReceivedCall {
  readonly key: string | null;
  readonly actor: Actor | null;
  readonly body: unknown;
  /** Answered from memory, without another execution. */
  readonly replayed: boolean;
  readonly carriedOut: boolean;
}

/** All messages of the service in order, for tests and checkers. */
export interface Received {
  readonly connections: ReceivedConnection[];
  readonly acks: ReceivedAck[];
  /** Client frames that the protocol does not define. */
  readonly oddFrames: string[];
  readonly calls: ReceivedCall[];
  readonly commands: ReceivedCommand[];
}

export const nothingReceived = (): Received => ({
  connections: [],
  acks: [],
  oddFrames: [],
  calls: [],
  commands: [],
});
