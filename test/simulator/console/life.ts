import { randomInt } from "node:crypto";

import type { ConsoleSimulator } from "./console-simulator.ts";

const names = ["Anna", "Bert", "Cato", "Dana", "Egon", "Fenja", "Gero", "Hilde", "Ivo", "Jule"];
const words = [
  "gg",
  "anyone near dome?",
  "selling scrap",
  "who has the oil rig",
  "hello",
  "nice raid",
];
const tickMs = 2_000;

/** Makes players of the demo's console join, leave, write and die. */
export class PlayerActivitySimulator {
  readonly #simulator: ConsoleSimulator;
  readonly #count: number;
  readonly #timer: NodeJS.Timeout;

  constructor(simulator: ConsoleSimulator, count: number) {
    this.#simulator = simulator;
    this.#count = count;
    for (let at = 0; at < count; at += 1) this.#joinAt(at);
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #joinAt(at: number): void {
    const steamId = String(76_561_198_000_100_000n + BigInt(at));
    const name = `${names[at % names.length] ?? "Anna"}${at < names.length ? "" : at}`;
    const { world } = this.#simulator;
    this.#simulator.join(steamId, name, { connectedAt: world.clock() - randomInt(1_000_000) });
  }

  #tick(): void {
    const { world } = this.#simulator;
    const players = [...world.players.values()];
    const player = players[randomInt(Math.max(1, players.length))];
    if (!player || players.length < this.#count / 2) return this.#joinMissing();
    const chance = randomInt(10);
    if (chance < 4) {
      this.#simulator.chat(player.steamId, words[randomInt(words.length)] ?? "gg");
    } else if (chance < 6) {
      const other = players[randomInt(players.length)];
      const by = other && other !== player ? `${other.name}[${other.steamId}]` : "Boar (Boar)";
      this.#simulator.log(`${player.name}[${player.steamId}] was killed by ${by}`);
    } else if (chance < 7) this.#simulator.leave(player.steamId);
    else this.#joinMissing();
  }

  #joinMissing(): void {
    const { world } = this.#simulator;
    for (let at = 0; at < this.#count; at += 1) {
      if (world.players.has(String(76_561_198_000_100_000n + BigInt(at)))) continue;
      this.#joinAt(at);
      return;
    }
  }
}
