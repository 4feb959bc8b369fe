import type { StandingFaults } from "../faults/standing.ts";
import type { Game } from "../game/game.ts";
import type { Resync } from "../game/resync.ts";
import type { Scene } from "../happenings/scene.ts";
import type { Actor } from "../received.ts";
import type { Assets } from "../sources/assets.ts";
import type { Atlas } from "../sources/atlas.ts";
import type { Cliloc } from "../sources/clilocs.ts";
import type { PagedSource } from "../sources/source.ts";
import type { World } from "../world/world.ts";
import type { Answer } from "./refusal.ts";

/** What the control plane answers from. */
export interface Shard {
  readonly world: World;
  readonly game: Game;
  readonly standing: StandingFaults;
  readonly resync: Resync;
  readonly protocol: number;
  readonly clilocs: PagedSource<Cliloc>;
  readonly assets: Assets;
  readonly atlas: Atlas;
  readonly clock: () => number;
}

/** A call that passed every check of its headers. */
export interface Call {
  /** By the names in the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Null on reads and where a command was made for nobody. */
  readonly actor: Actor | null;
  readonly scene: Scene;
}

export interface ControlRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The protocol from which the call exists. */
  readonly since: 7 | 8;
  /**
   * `read` carries neither key nor actor; `command` needs both, and may be switched off;
   * `request` may carry them and changes nothing in the game.
   */
  readonly nature: "read" | "command" | "request";
  /** Answered by the sidecar alone, so while the plugin is away too. */
  readonly alone?: true;
  readonly answer: (call: Call, shard: Shard) => Answer;
}

export const read = (
  method: "GET" | "POST",
  path: string,
  since: 7 | 8,
  answer: ControlRoute["answer"],
): ControlRoute => ({ method, path, since, nature: "read", answer });

export const command = (
  method: "POST" | "PUT" | "DELETE",
  path: string,
  since: 7 | 8,
  answer: ControlRoute["answer"],
): ControlRoute => ({ method, path, since, nature: "command", answer });

/** The named part of a path; a route only asks for names that its path has. */
export const param = (call: Call, name: string): string => call.params[name] as string;
