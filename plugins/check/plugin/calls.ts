import type { Ask } from "../calls/ask.ts";
import { judgeCalls } from "../calls/judge-calls.ts";
import type { Bench, Check } from "./bench.ts";

/** The protocol of `bridge.md` in whose words the calls are. */
const protocols = { uo: 8, rust: 13 } as const;

/** Makes every read that the plugin's capabilities name. */
export const callsCheck: Check = {
  name: "calls",
  does: "makes every call that changes nothing and that capabilities name",
  run: async (bench) => {
    const { game, report, site, known, say } = bench;
    const capabilities = site.memory.hello?.capabilities ?? [];
    await judgeCalls({
      game,
      protocol: protocols[game],
      report,
      ask: askPlugin(bench),
      capabilities,
      known,
      isSidecar: false,
      say,
    });
  },
};

/** Makes a call of `bridge.md` through the plugin's wait. */
const askPlugin =
  ({ site, times }: Bench): Ask =>
  async ({ method, path, params, query, body }) => {
    const outcome = await site.ask(
      { call: `${method} ${path}`, params, query, body },
      times.commandMs,
    );
    return outcome && { status: outcome.status, body: outcome.body, text: outcome.text };
  };
