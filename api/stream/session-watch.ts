import type { Caller } from "../../shared/auth/caller.ts";
import { findDeadSessions } from "../../shared/auth/dead-sessions.ts";
import type { Context } from "../../shared/context.ts";
import type { Channels } from "../../shared/notify/channels.ts";
import type { Subscriber } from "./subscriber.ts";

/**
 * Ends streams whose session has ended: at once when it is revoked, and within `SSE_RECHECK`
 * whatever the reason, also when the word of it was lost. Banned addresses go with that look.
 */
export class SessionWatch {
  readonly #context: Context;
  readonly #open: Iterable<Subscriber>;
  #unlisten: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Context, open: Iterable<Subscriber>) {
    this.#context = context;
    this.#open = open;
  }

  start(): void {
    const { listener, config } = this.#context;
    this.#unlisten = listener.on("auth_revoked", (revoked) =>
      this.#end((caller) => isRevoked(caller, revoked)),
    );
    this.#timer = setInterval(() => this.#recheck(), config.SSE_RECHECK).unref();
  }

  stop(): void {
    this.#unlisten?.();
    clearInterval(this.#timer);
  }

  #recheck(): void {
    Promise.all([this.#endDead(), this.#endBanned()]).catch((error: unknown) => {
      // The streams stay open and are asked about again: a database that is away revokes nobody.
      this.#context.log.warn({ err: error }, "checking the sessions of open streams failed");
    });
  }

  async #endDead(): Promise<void> {
    const callers = new Map<string, Caller>();
    for (const { caller } of this.#open) if (caller) callers.set(caller.tokenId, caller);
    if (callers.size === 0) return;
    const dead = await findDeadSessions([...callers.values()], this.#context);
    this.#end(({ tokenId }) => dead.has(tokenId));
  }

  async #endBanned(): Promise<void> {
    for (const subscriber of this.#open) {
      const { isBannable, key } = subscriber.origin;
      if (isBannable && (await this.#context.bans.isBanned(key))) subscriber.bye("revoked");
    }
  }

  #end(isOver: (caller: Caller) => boolean): void {
    for (const subscriber of this.#open) {
      if (subscriber.caller && isOver(subscriber.caller)) subscriber.bye("revoked");
    }
  }
}

function isRevoked(caller: Caller, revoked: Channels["auth_revoked"]): boolean {
  const { userId, tokenId, familyId } = revoked;
  if (caller.userId !== userId) return false;
  if (tokenId === undefined && familyId === undefined) return true;
  return caller.tokenId === tokenId || (familyId !== undefined && caller.familyId === familyId);
}
