import type { Listener } from "../../../platform/notify/listener.ts";
import { LiveFrame } from "./live-frame.ts";
import { type LivePiece, mostPieces } from "./pieces.ts";

/** The pieces of a frame that have come so far. */
interface Arriving {
  readonly frame: string;
  readonly texts: string[];
}

/**
 * The newest positions of each survival server, in the memory of a process that answers requests: no
 * row holds them. A process that has just started has none until the next frame, seconds later.
 */
export class LiveMaps {
  readonly #newest = new Map<number, LiveFrame>();
  readonly #arriving = new Map<number, Arriving>();
  readonly #ends: readonly (() => void)[];

  constructor(listener: Pick<Listener, "on" | "onGap">) {
    this.#ends = [
      listener.on("survival_live", (piece) => this.#take(piece)),
      // It may have been deleted, or its link may lead to another game now.
      listener.on("survival_servers", ({ serverId }) => this.#forget(serverId)),
      // Pieces may be missing between those before and those to come.
      listener.onGap(() => this.#arriving.clear()),
    ];
  }

  /** Undefined where none came since the process started. */
  newest(serverId: number): LiveFrame | undefined {
    return this.#newest.get(serverId);
  }

  stop(): void {
    for (const end of this.#ends) end();
  }

  /** Pieces come in their order, those of one frame after those of the frame before. */
  #take(piece: LivePiece): void {
    if (!isPiece(piece)) return;
    const { serverId, bootId, saveId, frame, page, pages, text } = piece;
    const begun = this.#arriving.get(serverId);
    const arriving = begun?.frame === frame ? begun : { frame, texts: [] };
    // A piece before it was lost: the next frame is whole again.
    if (page !== arriving.texts.length + 1) return;
    arriving.texts.push(text);
    if (page < pages) {
      this.#arriving.set(serverId, arriving);
      return;
    }
    this.#arriving.delete(serverId);
    this.#newest.set(serverId, new LiveFrame({ serverId, bootId, saveId }, arriving.texts));
  }

  #forget(serverId: number): void {
    this.#newest.delete(serverId);
    this.#arriving.delete(serverId);
  }
}

/** Everyone who may connect to the database may notify of anything. */
const isPiece = ({ serverId, frame, page, pages, text }: Partial<LivePiece>): boolean =>
  Number.isInteger(serverId) &&
  typeof frame === "string" &&
  typeof text === "string" &&
  Number.isInteger(page) &&
  Number.isInteger(pages) &&
  (pages as number) <= mostPieces;
