import { createHash, randomBytes } from "node:crypto";

import type { SurvivalSimulator } from "../../simulator/survival/simulator.ts";
import type { TestServer } from "../service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "./survival-ingest.ts";

export interface MintedCode {
  readonly code: string;
  /** The payload that the game sends for it. */
  readonly told: Readonly<Record<string, unknown>>;
}

/** Mints a code in a game whose events nobody ingests. */
export function mintUnreportedCode(simulator: SurvivalSimulator, steamId: string): MintedCode {
  const { code } = simulator.turn({ turn: "mintCode", steamId }) as { code: string };
  const frame = simulator.buffer.log.findLast(({ kind }) => kind === "link.minted");
  return { code, told: { ...frame?.payload } };
}

/** Builds the event payload for a code that the server never minted. */
export function linkCodePayload(code: string, more: object = {}): object {
  const salt = randomBytes(12).toString("base64url");
  const hash = createHash("sha256").update(`${salt}:${code}`).digest("hex");
  return { at: Date.now(), expiresAt: Date.now() + 300_000, salt, hash, ...more };
}

/** Ingests the codes of servers. */
export async function ingestLinkCodes(
  { context }: Pick<TestServer, "context">,
  serverId: number,
  told: readonly object[],
  given: object = {},
): Promise<void> {
  const frames = told.map((payload) => survivalFrame("link.minted", payload, given));
  await storeSurvivalFrames(context, serverId, frames);
}
