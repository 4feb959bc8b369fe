import type { SimulatedEvent } from "../events/scene.ts";
import { accountHappenings } from "./accounts.ts";
import { championHappenings } from "./champions.ts";
import { cityHappenings } from "./cities.ts";
import { deedHappenings } from "./deeds.ts";
import { guildHappenings } from "./guilds.ts";
import { helpHappenings } from "./help.ts";
import { houseHappenings } from "./houses.ts";
import { marketHappenings } from "./market.ts";
import { presenceHappenings } from "./presence.ts";
import { progressHappenings } from "./progress.ts";
import { serverHappenings } from "./server.ts";
import { staffHappenings } from "./staff.ts";

/** CATALOGUE of the events that the game emits by itself, by domain and name. */
const domains = {
  account: accountHappenings,
  champion: championHappenings,
  city: cityHappenings,
  deed: deedHappenings,
  guild: guildHappenings,
  help: helpHappenings,
  house: houseHappenings,
  market: marketHappenings,
  presence: presenceHappenings,
  progress: progressHappenings,
  server: serverHappenings,
  staff: staffHappenings,
} satisfies Record<string, Record<string, SimulatedEvent>>;

type Domain = keyof typeof domains;

/** A factor of the frequency of each domain's events. 0 turns the domain off. */
export type Mix = Partial<Record<Domain, number>>;

/**
 * Returns a function that draws an event by its weight. The function takes a random number in [0,
 * 1).
 */
export function createEventPicker(mix: Mix): (draw: number) => SimulatedEvent | undefined {
  const entries = Object.entries(domains).flatMap(([domain, happenings]) =>
    Object.values<SimulatedEvent>(happenings).map((one) => ({
      one,
      weight: one.weight * (mix[domain as Domain] ?? 1),
    })),
  );
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  return (draw) => {
    let left = draw * total;
    return entries.find(({ weight }) => (left -= weight) < 0)?.one;
  };
}
