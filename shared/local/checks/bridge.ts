import { BridgeError } from "../../bridge/bridge-error.ts";
import { createControl } from "../../bridge/control.ts";
import { UnreadableSecret } from "../../crypto/sealed.ts";
import { health } from "../../shard/calls/bridge-calls.ts";
import { readSidecarLink, usableLink } from "../../shard/sidecar/sidecar-link.ts";
import { type Check, fault, type Finding, ok, skipped } from "./check.ts";

const where = "PUT /api/v1/admin/shardlink/config";

/** Whether the shard's sidecar answers this machine, with the token and protocol of the link. */
export const bridgeCheck: Check = {
  name: "bridge",
  async run({ config, models }) {
    try {
      const link = usableLink(await readSidecarLink(models), config.SECRETS_KEYS);
      if (!link) return skipped("the link to the shard is off");
      const control = createControl(link, { connectMs: 3_000, callMs: 5_000 });
      const answer = await control.read(health).finally(() => control.close());
      if (answer.pluginConnected) return ok(`protocol ${answer.protocol}, ${link.baseUrl}`);
      return fault("the sidecar answers, the game behind it is away", "start the game server");
    } catch (error) {
      return findingOf(error);
    }
  },
};

function findingOf(error: unknown): Finding {
  if (error instanceof UnreadableSecret) {
    return fault(error.message, `bring the key back to SECRETS_KEYS, or save the token: ${where}`);
  }
  if (!(error instanceof BridgeError)) throw error;
  return fault(error.reason, fixes[error.code] ?? `see whether baseUrl is right: ${where}`);
}

const fixes: Partial<Record<BridgeError["code"], string>> = {
  UNAUTHORIZED: `save the sidecar's token: ${where}`,
  PROTOCOL: `save the sidecar's protocol: ${where}`,
  SHARD_DOWN: `start the sidecar and let this host reach it, or correct baseUrl: ${where}`,
};
