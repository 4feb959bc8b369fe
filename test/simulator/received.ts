/** Who a command was made for, as the service says. */
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

/** One attempt to open the stream, and how it was answered: 101 when it was let in. */
interface ReceivedConnection {
  readonly protocol: number | null;
  readonly epoch: string | null;
  readonly after: number | null;
  readonly at: number;
  readonly status: number;
}

/** One call of the control plane. */
interface ReceivedCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly requestId: string | null;
  readonly at: number;
  /** What was answered; null when a fault kept the answer back or spoiled it. */
  readonly status: number | null;
}

export interface ReceivedCommand extends ReceivedCall {
  readonly key: string | null;
  readonly actor: Actor | null;
  readonly body: unknown;
  /** Answered from memory, and not carried out again. */
  readonly replayed: boolean;
  readonly carriedOut: boolean;
}

/** All that the service sent here, in order; kept for tests and checkers to look at. */
export interface Received {
  readonly connections: ReceivedConnection[];
  readonly acks: ReceivedAck[];
  /** Frames of the client that the protocol does not know. */
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
