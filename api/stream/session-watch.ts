import { findInvalidTokenCallers } from "../../shared/auth/administration/token-caller.ts";
import { findInvalidSessionCallers } from "../../shared/auth/sessions/dead-sessions.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Channels } from "../../shared/platform/notify/channels.ts";
import { lacksSecondFactor } from "../../shared/platform/settings/settings.ts";
import { isExcludedByMode } from "../../shared/platform/settings/site-mode.ts";
import { staffStreams } from "./streams.ts";
import type { Subscriber } from "./subscriber.ts";

/**
 * Ends streams of ended sessions: at once after a revocation, otherwise within `SSE_RECHECK`, for example
 * if the notification is lost. It also ends streams of banned addresses and of callers to whom the site is
 * closed.
 */
export class SessionWatch {
  readonly #context: SiteContext;
  readonly #open: Iterable<Subscriber>;
  #unlisten: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: SiteContext, open: Iterable<Subscriber>) {
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
    this.#endUnproven();
    this.#endShutOut();
    Promise.all([this.#endDead(), this.#endBanned()]).catch((error: unknown) => {
      // A database outage revokes no session: keep the streams open and check them again later.
      this.#context.log.warn(
        { err: error },
        "the sessions of open event streams could not be checked",
      );
    });
  }

  async #endDead(): Promise<void> {
    const callers: Caller[] = [];
    for (const { caller } of this.#open) if (caller) callers.push(caller);
    if (callers.length === 0) return;
    const people = callers.filter(({ apiToken }) => apiToken === null);
    const programs = callers.filter(({ apiToken }) => apiToken !== null);
    const [gone, ended] = await Promise.all([
      findInvalidSessionCallers(people, this.#context),
      findInvalidTokenCallers(programs, this.#context),
    ]);
    const dead = new Set([...gone, ...ended]);
    this.#end((caller) => dead.has(caller));
  }

  /** Ends staff streams of callers who lack a required second factor. */
  #endUnproven(): void {
    for (const subscriber of this.#open) {
      const { caller, audience } = subscriber;
      if (!staffStreams.includes(audience.stream) || !caller) continue;
      if (lacksSecondFactor(caller, this.#context.settings.current)) subscriber.bye("revoked");
    }
  }

  /** Ends streams of callers to whom the site is closed. */
  #endShutOut(): void {
    const mode = this.#context.siteMode.current;
    for (const subscriber of this.#open) {
      if (isExcludedByMode(subscriber.caller, mode)) subscriber.bye("closed");
    }
  }

  async #endBanned(): Promise<void> {
    for (const subscriber of this.#open) {
      const { isBannable, networks } = subscriber.origin;
      if (isBannable && (await this.#context.bans.isBanned(networks))) subscriber.bye("revoked");
    }
  }

  #end(isOver: (caller: Caller) => boolean): void {
    for (const subscriber of this.#open) {
      if (subscriber.caller && isOver(subscriber.caller)) subscriber.bye("revoked");
    }
  }
}

function isRevoked(caller: Caller, revoked: Channels["auth_revoked"]): boolean {
  const { userId, tokenId, familyId, apiTokenId } = revoked;
  if (caller.apiToken || apiTokenId !== undefined) return caller.apiToken?.id === apiTokenId;
  if (caller.userId !== userId) return false;
  if (tokenId === undefined && familyId === undefined) return true;
  return caller.tokenId === tokenId || (familyId !== undefined && caller.familyId === familyId);
}
