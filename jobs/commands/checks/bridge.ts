import { BridgeError } from "../../../shared/platform/bridge/bridge-error.ts";
import { createControlClient } from "../../../shared/platform/bridge/calls/control.ts";
import { UnreadableSecretError } from "../../../shared/platform/crypto/sealed.ts";
import { type PluginState, readPluginState } from "../../../shared/platform/plugin/inbox.ts";
import { healthCall } from "../../../shared/shard/calls/account-calls.ts";
import { requestStatus, type StatusAddress } from "../../../shared/shard/sidecar/request-status.ts";
import { readSidecarLink, toUsableLink } from "../../../shared/shard/sidecar/sidecar-link.ts";
import {
  type DoctorCheck,
  faultResult,
  type DoctorResult,
  okResult,
  errorReasonOf,
  skippedResult,
} from "./check.ts";

const where = "PUT /api/v1/admin/shardlink/config";

/** Checks the link to the shard: its sidecar answers this machine, or its plugin calls the site. */
export const bridgeCheck: DoctorCheck = {
  name: "bridge",
  async run({ config, models, sequelize }) {
    try {
      const link = toUsableLink(await readSidecarLink(models), config.SECRETS_KEYS);
      if (!link) return skippedResult("the link to the shard is off");
      if (link.kind === "status") return await findStatus(link);
      if (link.kind === "plugin") return findPlugin(await readPluginState("shard", sequelize));
      const control = createControlClient(link, { connectMs: 3_000, callMs: 5_000 });
      const answer = await control.read(healthCall).finally(() => control.close());
      if (answer.pluginConnected) return okResult(`protocol ${answer.protocol}, ${link.baseUrl}`);
      return faultResult(
        "the sidecar answers, but the game server is not connected to it",
        "start the game server",
      );
    } catch (error) {
      return findingOf(error);
    }
  },
};

async function findStatus({ host, port }: StatusAddress): Promise<DoctorResult> {
  try {
    const { clients } = await requestStatus({ host, port }, 5_000);
    return okResult(`kind status, ${host}:${port}, ${clients} clients`);
  } catch (error) {
    const fix = `start the game server, or correct statusHost and statusPort: ${where}`;
    return faultResult(`kind status: ${errorReasonOf(error)}`, fix);
  }
}

const keyRoute = "POST /api/v1/admin/shardlink/plugin-key";

function findPlugin({ hasKey, isAlive, heardAt, refusal }: PluginState): DoctorResult {
  if (!hasKey) {
    return faultResult("kind plugin: there is no plugin key", `create a key: ${keyRoute}`);
  }
  if (refusal !== null) return faultResult(`kind plugin: ${refusal}`, "update the named program");
  if (isAlive) return okResult("kind plugin, connected");
  if (!heardAt) {
    const fix = `enter the setup command of the key on the game server; for a new key: ${keyRoute}`;
    return faultResult("kind plugin: no plugin has called yet", fix);
  }
  const silentSec = Math.round((Date.now() - heardAt.getTime()) / 1_000);
  return faultResult(
    `kind plugin: the plugin has not called for ${silentSec} s`,
    "start the game server, and read the log of its plugin",
  );
}

function findingOf(error: unknown): DoctorResult {
  if (error instanceof UnreadableSecretError) {
    return faultResult(
      error.message,
      `bring the key back to SECRETS_KEYS, or save the token again: ${where}`,
    );
  }
  if (!(error instanceof BridgeError)) throw error;
  return faultResult(error.reason, fixes[error.code] ?? `correct baseUrl: ${where}`);
}

const fixes: Partial<Record<BridgeError["code"], string>> = {
  UNAUTHORIZED: `save the token of the sidecar: ${where}`,
  PROTOCOL: `save the protocol version of the sidecar: ${where}`,
  SHARD_DOWN: `start the sidecar and let this host reach it, or correct baseUrl: ${where}`,
};
