import { randomInt } from "node:crypto";

/** A player who is connected to the simulated game. */
export interface SimPlayer {
  readonly steamId: string;
  readonly name: string;
  /** The account from which the player borrows the game. */
  readonly owner?: string;
  readonly address: string;
  readonly connectedAt: number;
}

export interface SimBan {
  readonly steamId: string;
  readonly name: string;
  readonly reason: string;
  /** Epoch seconds; -1 for a permanent ban. */
  readonly expiry: number;
}

interface SimGroup {
  title: string;
  rank: number;
  parent: string | null;
  readonly permissions: Set<string>;
}

interface SimUser {
  readonly groups: Set<string>;
  readonly permissions: Set<string>;
}

/** The culture in which the host writes dates. */
export type DateForm = "invariant" | "us" | "british" | "german" | "iso";

/** The mod loader of the simulated game. */
export type Loader = "oxide" | "carbon" | "none";

export interface WorldOptions {
  readonly hostname?: string;
  readonly maxPlayers?: number;
  readonly seed?: number;
  readonly worldSize?: number;
  readonly levelUrl?: string;
  readonly dates?: DateForm;
  readonly loader?: Loader;
  /** When the save was created, in epoch milliseconds. */
  readonly savedAt?: number;
  readonly clock?: () => number;
}

/** The game behind the simulated console. */
export class ConsoleWorld {
  readonly hostname: string;
  readonly maxPlayers: number;
  readonly clock: () => number;
  readonly dates: DateForm;
  loader: Loader;
  seed: number;
  worldSize: number;
  levelUrl: string;
  savedAt: number;
  startedAt: number;
  isGenerating = false;
  isRestarting = false;
  /** Number of times that the game wrote its configuration and bans to files. */
  configWrites = 0;
  readonly players = new Map<string, SimPlayer>();
  readonly bans: SimBan[] = [];
  readonly registered = new Set(["kits.vip", "kits.use", "zones.enter"]);
  readonly groups = new Map<string, SimGroup>();
  readonly users = new Map<string, SimUser>();

  constructor(options: WorldOptions = {}) {
    this.clock = options.clock ?? Date.now;
    this.hostname = options.hostname ?? "Emberfall EU | Weekly";
    this.maxPlayers = options.maxPlayers ?? 100;
    this.seed = options.seed ?? 1_337;
    this.worldSize = options.worldSize ?? 4_250;
    this.levelUrl = options.levelUrl ?? "";
    this.dates = options.dates ?? "invariant";
    this.loader = options.loader ?? "oxide";
    const now = this.clock();
    this.startedAt = now - 3_600_000;
    this.savedAt = options.savedAt ?? Math.floor((now - 3_500_000) / 1_000) * 1_000;
    for (const name of ["default", "admin"]) {
      this.groups.set(name, { title: "", rank: 0, parent: null, permissions: new Set() });
    }
  }

  get uptimeSec(): number {
    return Math.max(0, Math.floor((this.clock() - this.startedAt) / 1_000));
  }

  join(steamId: string, name: string, more: Partial<SimPlayer> = {}): SimPlayer {
    const address = `203.0.113.${randomInt(1, 250)}:${randomInt(20_000, 60_000)}`;
    const player = { steamId, name, address, connectedAt: this.clock(), ...more };
    this.players.set(steamId, player);
    this.userOf(steamId).groups.add("default");
    return player;
  }

  userOf(steamId: string): SimUser {
    const known = this.users.get(steamId);
    if (known) return known;
    const user = { groups: new Set<string>(), permissions: new Set<string>() };
    this.users.set(steamId, user);
    return user;
  }

  /** Starts a new game process, without players. */
  restart({ wipe = false } = {}): void {
    this.players.clear();
    this.startedAt = this.clock();
    this.isRestarting = false;
    if (!wipe) return;
    this.savedAt = Math.max(this.savedAt + 1_000, Math.floor(this.clock() / 1_000) * 1_000);
    this.seed += 1;
  }
}

const two = (value: number): string => String(value).padStart(2, "0");

/** Formats a time as the host does, without a time zone. */
export function formatDate(ms: number, form: DateForm): string {
  const date = new Date(ms);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + 1;
  const day = date.getUTCDate();
  const hour = date.getUTCHours();
  const rest = `${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const time = `${two(hour)}:${rest}`;
  if (form === "us") {
    return `${month}/${day}/${year} ${hour % 12 || 12}:${rest} ${hour < 12 ? "AM" : "PM"}`;
  }
  if (form === "british") return `${two(day)}/${two(month)}/${year} ${time}`;
  if (form === "german") return `${two(day)}.${two(month)}.${year} ${time}`;
  if (form === "iso") return `${year}-${two(month)}-${two(day)} ${time}`;
  return `${two(month)}/${two(day)}/${year} ${time}`;
}
