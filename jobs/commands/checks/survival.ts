import { readServersWithoutCodeHash } from "../../../shared/survival/links/link-codes.ts";
import { readServers, type ServerRecord } from "../../../shared/survival/servers/read-servers.ts";
import { readReachedStorageLimits } from "../../../shared/survival/storage/omissions.ts";
import { type DoctorCheck, type DoctorResult, faultResult, okResult } from "./check.ts";

/** Checks that consoles are connected, that no rows exceeded a storage bound, and that link codes have hashes. */
export const survivalCheck: DoctorCheck = {
  name: "survival servers",
  async run({ models, sequelize }) {
    const servers = await readServers({ models, sequelize });
    const away = servers.find(isConsoleAway);
    if (away) return consoleFault(away);
    const full = await readReachedStorageLimits(sequelize);
    if (full.length > 0) {
      const each = full.map(({ slug, part }) => `${part} of ${slug}`);
      return faultResult(
        `rows above a storage bound were not stored in the last day: ${each.join(", ")}`,
        "check what the server sends, and disable the server or raise the bound in SURVIVAL_BOUNDS",
      );
    }
    const outdated = await readServersWithoutCodeHash(sequelize);
    if (outdated.length > 0) {
      return faultResult(
        `plugins send codes for Steam links without a hash, so the codes do not work: ${outdated.join(", ")}`,
        "update the plugins of these servers",
      );
    }
    return okResult("all rows of the last day were stored, and all link codes have a hash");
  },
};

const isConsoleAway = ({ server, link }: ServerRecord): boolean =>
  server.enabled && server.kind === "webrcon" && link !== "connected";

/** Uses the console state that ingest reports: a test connection could get the address of this host banned. */
function consoleFault({ server, link, source }: ServerRecord): DoctorResult {
  const { id, slug, rconHost, rconPort } = server;
  const where = `PUT /api/v1/admin/survival/servers/${id}`;
  const found = `${slug}, kind webrcon, ${rconHost}:${rconPort}, ${link}: ${source.reason ?? "no ingest process has connected yet"}`;
  if (link === "error") {
    return faultResult(
      found,
      `save rconPassword as the game server's rcon.password: ${where}. If it is correct, the game has ` +
        "banned this host's address for some minutes: wait, or end the ban on the game server",
    );
  }
  return faultResult(
    found,
    `start the game server with +rcon.web 1 and let this host reach its rcon.port, or correct rconHost, rconPort and rconTls: ${where}`,
  );
}
