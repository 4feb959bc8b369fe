import { BridgeError } from "../../../shared/platform/bridge/bridge-error.ts";
import type { ReceivedFile } from "../../../shared/platform/bridge/calls/call.ts";
import type { JsonObject } from "../../../shared/platform/bridge/json-text.ts";
import { fetchMapImageCall } from "../../../shared/survival/calls/server-calls.ts";
import type { CallFunction } from "../calls/call-request.ts";
import { judgeCalls } from "../calls/judge-calls.ts";
import type { CheckContext, Check } from "./context.ts";

/** The version of the calls that the plugin implements, by game. */
const protocols = { uo: 8, rust: 13 } as const;

export const callsCheck: Check = {
  name: "calls",
  does: "makes every read-only call of the listed capabilities",
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

/** Makes a call to the game: the plugin receives it as a command in the answer to its poll. */
const askPlugin =
  ({ site, times }: CheckContext): CallFunction =>
  async ({ method, path, params, query, body }) => {
    const outcome = await site.ask(
      { call: `${method} ${path}`, params, query, body },
      times.commandMs,
    );
    return (
      outcome && {
        ...outcome,
        file: path === fetchMapImageCall.path ? fileOf(outcome.body) : undefined,
      }
    );
  };

const mostFileBytes = 8 * 1024 * 1024;

const mapFields = [
  "hash",
  "width",
  "height",
  "oceanMargin",
  "background",
  "worldSize",
  "saveId",
] as const;

/** Converts the file in an outcome to the form in which sidecars send files; undefined if there is none. */
function fileOf(body: JsonObject): ReceivedFile | undefined {
  const { mime, data } = body;
  if (typeof mime !== "string" || typeof data !== "string") return undefined;
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > mostFileBytes) {
    throw new BridgeError("TOO_LARGE", {
      reason: `a file of ${bytes.length} bytes; 8 MiB at most`,
    });
  }
  const facts = mapFields.flatMap((field) => {
    const value = body[field];
    const name = `x-map-${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const isSaid = typeof value === "string" || typeof value === "number";
    return isSaid ? [[name, String(value)]] : [];
  });
  return { headers: { "content-type": mime, ...Object.fromEntries(facts) }, bytes };
}
