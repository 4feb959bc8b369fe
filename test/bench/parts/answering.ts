export interface BenchCall {
  readonly id: number;
  readonly what: string;
  readonly given: object;
}

export interface BenchCallResult {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

type Call = (given: never) => unknown;

/** The CPU time and memory that this process has used since its start. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
}

/** Answers the calls that a benchmark makes to this process, including `ready` and `usage`. */
export function answerCalls(calls: Readonly<Record<string, Call>>): void {
  const all: Readonly<Record<string, Call>> = { ready: () => true, usage: readUsage, ...calls };
  process.on("message", (question) => {
    const { id, what, given } = question as BenchCall;
    void answer(all[what], given).then((outcome) => process.send?.({ id, ...outcome }));
  });
  // The channel keeps the process running between calls.
  process.channel?.ref();
}

async function answer(call: Call | undefined, given: object): Promise<Omit<BenchCallResult, "id">> {
  try {
    if (!call) throw new Error("there is no such call");
    return { result: await call(given as never) };
  } catch (error) {
    return { error: String((error as Error).stack ?? error) };
  }
}

function readUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, memoryBytes: process.memoryUsage.rss() };
}
