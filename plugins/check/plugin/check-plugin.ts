import { randomBytes } from "node:crypto";

import type { EventFrame } from "../../../shared/platform/bridge/frames.ts";
import { isObject } from "../../../shared/platform/bridge/json-text.ts";
import { schemaOf, type Game } from "../payloads/payload-faults.ts";
import type { CheckResult } from "../report/print.ts";
import { Report } from "../report/report.ts";
import { basePath } from "../site/call.ts";
import { Site } from "../site/site.ts";
import { CallWatch } from "../watch/watch.ts";
import { awayCheck } from "./away.ts";
import { callsCheck } from "./calls.ts";
import { commandsCheck } from "./commands.ts";
import { conflictCheck } from "./conflict.ts";
import { type CheckContext, type Check, isHelloCall, waitForHello } from "./context.ts";
import { eventsCheck, payloadsCheck, snapshotsCheck } from "./events.ts";
import { gapCheck } from "./gap.ts";
import { helloCheck } from "./hello.ts";
import { refusedCheck } from "./refused.ts";
import { type PluginRequirement, pluginRequirements } from "./requirements.ts";
import { resendCheck } from "./resend.ts";
import { supersededCheck } from "./superseded.ts";
import { type CheckTimes, toCheckTimes } from "./times.ts";
import { transportCheck } from "./transport.ts";
import { waitsCheck } from "./waits.ts";

/** CATALOGUE of the checks, in the order in which they run. */
export const pluginChecks: readonly Check[] = [
  transportCheck,
  helloCheck,
  eventsCheck,
  payloadsCheck,
  snapshotsCheck,
  resendCheck,
  conflictCheck,
  gapCheck,
  waitsCheck,
  commandsCheck,
  callsCheck,
  awayCheck,
  refusedCheck,
  supersededCheck,
];

export interface PluginCheckOptions {
  readonly game: Game;
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** The address to give to the plugin if it differs from this machine's. */
  readonly url?: string | undefined;
  /** Names of checks; all checks by default. */
  readonly only?: readonly string[] | undefined;
  /** Length of the plugin's one-minute pause in seconds: 60, or less for plugins in tests. */
  readonly minute?: number | undefined;
  /** How many seconds to wait for an action of the game. */
  readonly patience?: number | undefined;
  /** The Retry-After of refusals, in seconds. */
  readonly rest?: number | undefined;
  readonly say: (text: string) => void;
  /** Called once when the checker listens, with the URL and the key for the plugin's configuration. */
  readonly onReady: (url: string, key: string) => void;
}

/** Listens like a site, waits for a plugin and checks it against the protocol. */
export async function checkPlugin(options: PluginCheckOptions): Promise<CheckResult> {
  const key = `ghk_${randomBytes(32).toString("base64url")}`;
  const { minute = 60, patience = 60, rest = 2 } = options;
  const times = toCheckTimes({ minute, patience, rest });
  const report = new Report(pluginRequirements);
  const bench = createContext(options, key, times, report);
  const { site, watch } = bench;
  const port = await site.listen(options.port);
  const url = addressOf(options.url ?? `http://127.0.0.1:${port}`);
  const wanted = options.only && new Set(options.only);
  try {
    const hello = site.nextAnswered(isHelloCall, times.connectMs);
    options.onReady(url, key);
    if (!(await hello)) report.notSeen("hello.first", "no plugin called POST /hello");
    // If the first hello was rejected, the plugin repeats it, so wait for a valid one.
    else if (await waitForHello(bench, times.minuteMs)) await runChecks(bench, wanted);
  } finally {
    watch.stop();
    await site.close();
  }
  return { subject: subjectOf(bench), verdicts: report.verdicts(wanted), notes: notesOf(bench) };
}

function addressOf(given: string): string {
  const address = given.replace(/\/+$/, "");
  return address.endsWith(basePath) ? address : `${address}${basePath}`;
}

function createContext(
  { game, say }: PluginCheckOptions,
  key: string,
  times: CheckTimes,
  report: Report<PluginRequirement>,
): CheckContext {
  const broadcasts: string[] = [];
  const known = { account: "guildhall-check", serial: "0x00000001" };
  const watch: CallWatch = new CallWatch({
    game,
    key,
    report,
    memory: () => site.memory,
    queue: () => site.queue,
    calls: () => site.calls,
    isPaused: () => bench.isPaused,
    onEvent: (event) => storeKnownObjects(event, { broadcasts, known }),
  });
  const site: Site = new Site({ game, key, watcher: watch, pollMs: times.pollMs });
  const bench: CheckContext = {
    game,
    site,
    watch,
    report,
    times,
    say,
    broadcasts,
    known,
    isPaused: false,
    hasNoResync: false,
  };
  return bench;
}

/** Remembers an account and a character that events name, for later checks. */
function storeKnownObjects(
  { kind, payload }: EventFrame,
  { broadcasts, known }: Pick<CheckContext, "broadcasts" | "known">,
): void {
  const { text, players } = payload;
  if (kind === "world.broadcast" && typeof text === "string") broadcasts.push(text);
  if (!kind.startsWith("presence.")) return;
  const [first] = Array.isArray(players) ? (players as unknown[]) : [];
  const { serial, acct } = isObject(first) ? first : payload;
  if (typeof serial === "string") known.serial = serial;
  if (typeof acct === "string" && acct !== "") known.account = acct;
}

async function runChecks(
  bench: CheckContext,
  wanted: ReadonlySet<string> | undefined,
): Promise<void> {
  for (const { name, does, run } of pluginChecks) {
    if (wanted && !wanted.has(name)) continue;
    bench.say(`${name}: ${does}`);
    await run(bench);
  }
}

function subjectOf({ site }: CheckContext): string {
  const { hello } = site.memory;
  if (!hello) return "No plugin called POST /hello";
  const { plugin, server } = hello;
  return `${plugin.name} ${plugin.version} of ${server.name} (${server.version})`;
}

/** Returns notes on the kinds of the received events. A missing kind is no fault. */
function notesOf({ watch, game }: CheckContext): string[] {
  const { kinds } = watch.batches.judge;
  const seen = [...kinds].filter(([kind]) => schemaOf(game, kind) !== undefined);
  if (seen.length === 0) return [];
  const list = seen.map(([kind, count]) => `${kind} ${count}`).toSorted();
  return [`Kinds seen, with how many events: ${list.join(", ")}`];
}
