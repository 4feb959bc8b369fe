import type { Notice } from "../kinds/notice.ts";
import { resolveNextWipe } from "./next-wipe.ts";
import type { WipeSchedule } from "./wipe-schedule.ts";

const hourMs = 3_600_000;

/** Hours before a wipe at which it is told of, and for how long that is news. */
const warnings = [24, 1];
const newsMs = hourMs / 4;

/** What is told of a server's next wipe at a moment: nothing, or that it is a day or an hour away. */
export function nearWipes(server: WipeSchedule & { readonly id: number }, at: number): Notice[] {
  const { nextWipe } = resolveNextWipe(server, new Date(at));
  if (!nextWipe) return [];
  return warnings.flatMap((hours) => {
    const due = nextWipe.valueOf() - hours * hourMs;
    if (at < due || at >= due + newsMs) return [];
    return [
      {
        id: "survival.wipe.upcoming",
        serverId: server.id,
        key: `upcoming:${nextWipe.valueOf()}:${hours}`,
        t: due,
        variables: { nextWipe: nextWipe.toISOString(), hoursLeft: hours, rule: server.wipeRule },
      } as const,
    ];
  });
}
