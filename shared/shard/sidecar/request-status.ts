import { createConnection, type Socket } from "node:net";

/** The address where a shard answers status packets: the port that players connect to. */
export interface StatusAddress {
  readonly host: string;
  readonly port: number;
}

export interface StatusPacket {
  readonly clients: number;
  readonly items: number;
  readonly mobiles: number;
  readonly ageSec: number;
  readonly memory: number;
}

/** A client's seed, which must not be zero, and the request (packet F1, subcommand FE). */
const statusRequest = Buffer.from([0x7f, 0, 0, 1, 0xf1, 0, 4, 0xfe]);

/** Length of a status packet in bytes: the packet's id, the length itself and five numbers. */
const answerBytes = 27;
const answerId = 0x51;

/**
 * Requests a shard's status packet. ServUO and ModernUO answer it without a plugin.
 * @throws Error if the shard is unreachable, slow or answers something else
 */
export async function requestStatus(
  { host, port }: StatusAddress,
  withinMs: number,
  signal?: AbortSignal,
): Promise<StatusPacket> {
  const socket = createConnection({ host, port });
  const deadline = AbortSignal.timeout(withinMs);
  const ending = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const end = (): void => void socket.destroy(new Error(`no answer in ${withinMs} ms`));
  ending.addEventListener("abort", end, { once: true });
  try {
    socket.on("connect", () => socket.write(statusRequest));
    return readStatusPacket(await readAnswer(socket));
  } finally {
    ending.removeEventListener("abort", end);
    socket.destroy();
  }
}

async function readAnswer(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= answerBytes) break;
  }
  return Buffer.concat(chunks);
}

/** @throws Error if the bytes are not a status packet */
export function readStatusPacket(answer: Buffer): StatusPacket {
  const isPacket =
    answer.length >= answerBytes &&
    answer.readUInt8(0) === answerId &&
    answer.readUInt16BE(1) === answerBytes;
  if (!isPacket) throw new Error("the answer is not a status packet");
  return {
    clients: Math.max(0, answer.readInt32BE(3)),
    items: Math.max(0, answer.readInt32BE(7)),
    mobiles: Math.max(0, answer.readInt32BE(11)),
    ageSec: answer.readUInt32BE(15),
    memory: Math.max(0, Number(answer.readBigInt64BE(19))),
  };
}
