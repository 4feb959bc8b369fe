import { EventJudge } from "../payloads/event-judge.ts";
import { type Game, schemaOf } from "../payloads/payload-faults.ts";
import type { CheckResult } from "../report/print.ts";
import { Report } from "../report/report.ts";
import { SidecarClient } from "./caller.ts";
import { clientsCheck } from "./clients.ts";
import { commandsCheck } from "./commands.ts";
import type { CheckContext, Check } from "./context.ts";
import { callsCheck, controlCheck } from "./control.ts";
import { refusedCheck } from "./refused.ts";
import { bridgeRequirements } from "./requirements.ts";
import { resumeCheck } from "./resume.ts";
import { eventsCheck, payloadsCheck, snapshotsCheck, streamCheck } from "./stream.ts";

/** CATALOGUE of the checks, in the order in which they run. */
export const bridgeChecks: readonly Check[] = [
  refusedCheck,
  streamCheck,
  eventsCheck,
  payloadsCheck,
  snapshotsCheck,
  resumeCheck,
  clientsCheck,
  controlCheck,
  callsCheck,
  commandsCheck,
];

export const protocols = { uo: 8, rust: 13 } as const;

export interface BridgeCheckOptions {
  readonly game: Game;
  readonly wsUrl: string;
  /** The address of the sidecar, without `/v1` and a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly protocol?: number | undefined;
  /** True to send commands too. Players see their effects. */
  readonly mayCommand?: boolean | undefined;
  readonly only?: readonly string[] | undefined;
  /** How many seconds to wait for an action of the game. */
  readonly patience?: number | undefined;
  readonly say: (text: string) => void;
}

/** Connects to a sidecar in the same way as the site and checks it against the protocol. */
export async function checkBridge(options: BridgeCheckOptions): Promise<CheckResult> {
  const { game, token, baseUrl, wsUrl, say, protocol = protocols[game] } = options;
  const report = new Report(bridgeRequirements);
  const bench: CheckContext = {
    game,
    wsUrl,
    token,
    protocol,
    report,
    // A sidecar may shorten an outdated state in its buffer, such as a live map, so accept shorter repeats.
    events: new EventJudge(report, game, true),
    caller: new SidecarClient({ baseUrl, token, protocol, report }),
    known: { account: "guildhall-check", serial: "0x00000001" },
    mayCommand: options.mayCommand ?? false,
    say,
    soonMs: 5_000,
    patienceMs: (options.patience ?? 60) * 1_000,
  };
  const wanted = options.only && new Set(options.only);
  for (const { name, does, run } of bridgeChecks) {
    if (wanted && !wanted.has(name)) continue;
    say(`${name}: ${does}`);
    await run(bench);
  }
  const subject = `The sidecar at ${new URL(baseUrl).host}, protocol ${protocol}`;
  return { subject, verdicts: report.verdicts(wanted), notes: notesOf(bench) };
}

function notesOf({ events, game }: CheckContext): string[] {
  const seen = [...events.kinds].filter(([kind]) => schemaOf(game, kind) !== undefined);
  if (seen.length === 0) return [];
  const list = seen.map(([kind, count]) => `${kind} ${count}`).toSorted();
  return [`Kinds seen, with how many events: ${list.join(", ")}`];
}
