import { createHash, randomBytes } from "node:crypto";

import type { SurvivalSimulator } from "../../simulator/survival/simulator.ts";
import type { TestServer } from "../service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "./survival-ingest.ts";

export interface MintedCode {
  readonly code: string;
  /** The payload of the event that the game sends about the code. */
  readonly told: Readonly<Record<string, unknown>>;
}

/** Issues a link code in a game whose events are not ingested. */
export function mintUnreportedCode(simulator: SurvivalSimulator, steamId: string): MintedCode {
  const { code } = simulator.turn({ turn: "mintCode", steamId }) as { code: string };
  const frame = simulator.buffer.log.findLast(({ kind }) => kind === "link.minted");
  return { code, told: { ...frame?.payload } };
}

/** Returns the payload of an event about a code that no game has issued. */
export function linkCodePayload(code: string, more: object = {}): object {
  const salt = randomBytes(12).toString("base64url");
  const hash = createHash("sha256").update(`${salt}:${code}`).digest("hex");
  return { at: Date.now(), expiresAt: Date.now() + 300_000, salt, hash, ...more };
}

/** Ingests events about link codes, as events of a survival server. */
export async function ingestLinkCodes(
  { context }: Pick<TestServer, "context">,
  serverId: number,
  told: readonly object[],
  given: object = {},
): Promise<void> {
  const frames = told.map((payload) => survivalFrame("link.minted", payload, given));
  await storeSurvivalFrames(context, serverId, frames);
}
