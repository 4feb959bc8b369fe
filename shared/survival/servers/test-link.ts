import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { describeRefusal } from "../../platform/bridge/refusals.ts";
import { buildConnectionUrl } from "../../platform/bridge/socket/addresses.ts";
import { Connection } from "../../platform/bridge/socket/connection.ts";
import { socketBounds } from "../../platform/bridge/socket/socket-options.ts";
import { UnreadableSecretError } from "../../platform/crypto/sealed.ts";
import { serverHealthCall, serverHelloCall } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import {
  type ServerConsole,
  type ServerLink,
  serverLinkOf,
  type ServerSidecar,
} from "../server-link.ts";
import { consoleStore } from "../webrcon/console-store.ts";
import { probeConsole } from "../webrcon/probe-console.ts";
import type { ServerRecord } from "./read-servers.ts";

/** The result of a link test: success, or the step that failed and the reason. */
export interface LinkTest {
  readonly ok: boolean;
  readonly protocol: number;
  readonly code?: string;
  readonly reason?: string;
  /** The hello of the game server. */
  readonly hello?: object;
}

/**
 * Tests the link of a server, which may be disabled. For a sidecar, tests a call, and the socket unless it is
 * connected. For a console, tests a call over the connection that ingest holds, or over a new connection if there
 * is none.
 */
export async function testLink(record: ServerRecord, context: SurvivalContext): Promise<LinkTest> {
  const { server, link: state } = record;
  const { protocol } = server;
  const secret = server.kind === "webrcon" ? "password" : "token";
  const failed = { ok: false, protocol } as const;
  let link: ServerLink | null;
  try {
    link = serverLinkOf(server, context.config.SECRETS_KEYS);
  } catch (error) {
    if (!(error instanceof UnreadableSecretError)) throw error;
    const reason = `the stored ${secret} cannot be read; save it again`;
    return { ...failed, code: "UNAUTHORIZED", reason };
  }
  if (!link) {
    return { ...failed, code: "INCOMPLETE", reason: `an address or the ${secret} is missing` };
  }
  if (link.kind === "webrcon" && state !== "connected") return testConsole(link, record, context);
  const said = await testControl(link, context);
  if (!said.ok || state === "connected" || link.kind !== "sidecar") return said;
  return { ...said, ...(await testSocket(link, context.config.SURVIVAL_DIAL_TIMEOUT)) };
}

/**
 * Connects to a console. The game bans addresses that send many wrong passwords, so a console that refused the
 * password of ingest is not tried again.
 */
async function testConsole(
  link: ServerConsole,
  { server, link: state, source }: Pick<ServerRecord, "server" | "link" | "source">,
  { config, sequelize }: SurvivalContext,
): Promise<LinkTest> {
  const { protocol } = link;
  if (state === "error") {
    return { ok: false, protocol, code: "AUTH", reason: source.reason ?? "refused" };
  }
  const store = consoleStore(server.id, sequelize);
  return { protocol, ...(await probeConsole(link, config.SURVIVAL_DIAL_TIMEOUT, store)) };
}

async function testControl(
  link: ServerLink,
  { config, survival }: SurvivalContext,
): Promise<LinkTest> {
  const { protocol } = link;
  const withinMs = config.SURVIVAL_DIAL_TIMEOUT;
  const control = survival.connect(link, { connectMs: withinMs, callMs: withinMs });
  try {
    await control.read(serverHealthCall);
    return { ok: true, protocol, hello: await control.read(serverHelloCall) };
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return { ok: false, protocol, code: error.code, reason: error.reason };
  } finally {
    control.close();
  }
}

/**
 * Opens the socket and waits for the first frame. If another client occupies the socket, the socket counts as
 * reachable.
 */
async function testSocket(link: ServerSidecar, withinMs: number): Promise<Partial<LinkTest>> {
  const greeted = Promise.withResolvers<undefined>();
  const connection = new Connection(buildConnectionUrl(link.wsUrl, link.protocol, null), {
    token: link.token,
    maxPayload: socketBounds.payloadBytes,
    handshakeMs: withinMs,
    pingMs: withinMs,
    deadMs: withinMs,
    onMessage: () => greeted.resolve(undefined),
  });
  const ending = await Promise.race([greeted.promise, connection.ended]);
  connection.terminate("tested");
  if (!ending) return {};
  if (ending.how !== "refused") return { ok: false, code: "SHARD_DOWN", reason: ending.reason };
  const reason = describeRefusal(ending.status, ending.body);
  if (ending.status === 423) return { code: "LOCKED", reason };
  const code = codeOfStatus[ending.status] ?? "MALFORMED";
  return { ok: false, code, reason };
}

const codeOfStatus: Readonly<Record<number, string>> = { 401: "UNAUTHORIZED", 409: "PROTOCOL" };
