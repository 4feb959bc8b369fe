import { BridgeError } from "../../../shared/platform/bridge/bridge-error.ts";
import { messageOf } from "../../../shared/platform/errors/errors.ts";
import type { Game } from "../payloads/payload-faults.ts";
import { excerptOf } from "../report/excerpt.ts";
import type { ResultRecorder } from "../report/report.ts";
import {
  type CallAnswer,
  type CallFunction,
  toCallRequest,
  createCheckControl,
  judgeAnswer,
} from "./call-request.ts";
import {
  BrokenWalkError,
  type KnownObjects,
  type ReadCallSpec,
  reads,
  type SourceWalk,
  walks,
} from "./reads.ts";
import type { CallRequirement } from "./requirements.ts";

export interface CallsUnderTest {
  readonly game: Game;
  readonly protocol: number;
  readonly report: ResultRecorder<CallRequirement>;
  readonly ask: CallFunction;
  readonly capabilities: readonly string[];
  readonly known: KnownObjects;
  readonly isSidecar: boolean;
  readonly say: (text: string) => void;
}

/**
 * Refusal codes for a source that the game does not have or that is not ready. They are no fault of the program.
 */
const absentCodes: ReadonlySet<string> = new Set([
  "NO_SOURCE",
  "NO_IMAGE",
  "NO_IMAGING",
  "DISABLED",
  "BUSY",
]);

/** Makes every call that changes nothing and checks its answer. */
export async function judgeCalls(tested: CallsUnderTest): Promise<void> {
  const { game, capabilities, isSidecar } = tested;
  const isThere = ({ capability }: { readonly capability?: string }): boolean =>
    capability === undefined || capabilities.includes(capability);
  const asked = reads[game].filter((read) => isThere(read) && (isSidecar || !read.isOfSidecar));
  for (const read of asked) await judgeRead(read, tested);
  if (asked.length === 0) tested.report.skip("calls.reads", "the capabilities list no read");
  const sources = walks[game].filter(isThere);
  for (const walk of sources) await judgeWalk(walk, tested);
  if (sources.length === 0) {
    tested.report.skip("calls.sources", "the capabilities list no source");
  }
  if (capabilities.length === 0) {
    tested.report.skip("calls.capabilities", "the list of capabilities is empty");
  }
}

async function judgeRead(
  read: ReadCallSpec,
  { report, ask, known, say }: CallsUnderTest,
): Promise<void> {
  const { call, capability } = read;
  const name = `${call.method} ${call.path}`;
  say(name);
  const answered = await ask(toCallRequest(call, read.input?.(known)));
  const judged = judgeAnswer(call, answered);
  if (judged.how === "wrong") return report.fail("calls.reads", judged.finding);
  report.pass("calls.reads");
  if (capability === undefined) return;
  const isMissing = judged.how === "refused" && judged.error.code === "UNSUPPORTED";
  report.judge("calls.capabilities", !isMissing, () => ({
    expected: `an answer to ${name}, because the capabilities list ${capability}`,
    got: "422 UNSUPPORTED",
    bytes: excerptOf(answered?.text ?? ""),
  }));
}

async function judgeWalk(walk: SourceWalk, tested: CallsUnderTest): Promise<void> {
  const { report, say, protocol } = tested;
  say(walk.name);
  let last: CallAnswer | undefined;
  const control = createCheckControl(async (asked) => {
    last = await tested.ask(asked);
    return last;
  }, protocol);
  try {
    await walk.run(control);
    report.pass("calls.sources");
    report.pass("calls.capabilities");
  } catch (error) {
    const code = codeOf(error);
    if (absentCodes.has(code)) return report.skip("calls.sources", `${walk.name}: ${code}`);
    report.fail(code === "UNSUPPORTED" ? "calls.capabilities" : "calls.sources", {
      expected: `all pages and pictures of ${walk.name}`,
      got: error instanceof BridgeError ? `${code}: ${error.reason}` : messageOf(error),
      bytes: last && excerptOf(last.text),
    });
  }
}

function codeOf(error: unknown): string {
  if (error instanceof BridgeError || error instanceof BrokenWalkError) return error.code;
  throw error;
}
