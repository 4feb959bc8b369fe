import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { readClock } from "../../platform/db/clock.ts";
import { notFoundError } from "../../platform/errors/errors.ts";
import { lacksCapability, isNpcApiOld } from "../calls/call-rules.ts";
import { listIntegrationsCall } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";

/** CATALOGUE of features that need an optional mod. */
const enabledBy: Readonly<Record<string, readonly string[]>> = {
  zones: ["survival.zone.open", "survival.zone.close"],
  kits: ["survival.kit.entitle"],
  npcs: ["survival.npc.spawn"],
  chat: ["titles", "voice"],
};

interface Mod {
  readonly id: string;
  readonly mod?: string | null | undefined;
  readonly loaded: boolean;
  readonly version?: string | null | undefined;
}

interface Framework {
  readonly name: string;
  readonly version?: string | null | undefined;
}

type State = Pick<SurvivalServerState, "hello"> | null;

/** The mods as just read. If they could not be read, the last known mods and the reason. */
interface ModsReading {
  readonly framework: Framework | null | undefined;
  readonly mods: readonly Mod[];
  readonly unread: "offline" | "unsupported" | null;
}

/** Reads a server's optional mods. If the server is offline, lists the mods of its last hello as unusable. */
export async function readIntegrations(
  serverId: number,
  requestId: string,
  context: SurvivalContext,
): Promise<object> {
  const { SurvivalServer, SurvivalServerState } = context.models;
  const server = await SurvivalServer.findByPk(serverId, { attributes: ["id"], raw: true });
  if (!server) throw notFoundError("There is no such server");
  const state = await SurvivalServerState.findByPk(serverId, { attributes: ["hello"], raw: true });
  const { framework, mods, unread } = await readNow(serverId, requestId, state, context);
  return {
    serverId,
    online: unread !== "offline",
    checkedAt: await readClock(context.sequelize),
    framework: framework ? { name: framework.name, version: framework.version ?? null } : null,
    integrations: mods.map((mod) => viewMod(mod, unread ?? unusableReason(mod, state))),
  };
}

async function readNow(
  serverId: number,
  requestId: string,
  state: State,
  { survival }: SurvivalContext,
): Promise<ModsReading> {
  if (lacksCapability(state, "integrations")) return readLastHello(state, "unsupported");
  try {
    const { framework, integrations } = await survival.call(serverId, (control) =>
      control.read(listIntegrationsCall, { requestId }),
    );
    return { framework, mods: integrations, unread: null };
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return readLastHello(state, error.code === "UNSUPPORTED" ? "unsupported" : "offline");
  }
}

/** The hello was validated when it arrived. */
function readLastHello(
  state: State,
  unreadReason: NonNullable<ModsReading["unread"]>,
): ModsReading {
  const { framework, helpers = [] } = (state?.hello ?? {}) as {
    readonly framework?: Framework;
    readonly helpers?: readonly (Mod & { readonly name?: string | null })[];
  };
  return {
    framework,
    mods: helpers.map((helper) => ({ ...helper, mod: helper.name })),
    unread: unreadReason,
  };
}

function unusableReason({ id, loaded }: Mod, state: State): "not-loaded" | "outdated" | null {
  if (!loaded) return "not-loaded";
  return id === "npcs" && isNpcApiOld(state) ? "outdated" : null;
}

function viewMod({ id, mod, loaded, version }: Mod, reason: string | null): object {
  const enables = Object.hasOwn(enabledBy, id) ? enabledBy[id] : [];
  return {
    id,
    mod: mod ?? null,
    loaded,
    version: version ?? null,
    usable: reason === null,
    reason,
    enables,
  };
}
