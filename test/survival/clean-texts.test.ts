import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { cleanStoredTexts } from "../../shared/survival/feed/clean-texts.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { query } from "../support/database/query.ts";
import { buildSteamLink, buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const steamId = "76561198000000001";
const marked = "<color=red>An\u202Ena</color>";

const textsOf = () =>
  query(
    server,
    `select (select array_agg(distinct name) from survival_sightings) as sightings,
       (select name from survival_tallies) as tally, clan.name as clan, motd,
       member.name as member, role_name as role, (select name from steam_links) as link,
       (select document from survival_npc_revisions where origin = 'server') as document,
       (select document -> 'displayName' from survival_npc_revisions where origin = 'site') as site
     from survival_clans clan join survival_clan_members member on clan_row_id = clan.id`,
  );

describe("texts that were stored before ingest removed markup", () => {
  it("are cleaned once in every table, except for texts that users of the site wrote", async () => {
    const { models, sequelize } = server.context;
    const { id: serverId } = await buildSurvivalServer(server);
    const seenAt = new Date();
    // Insert more rows than the migration cleans at once. Some plain names look like markup.
    await models.SurvivalSighting.bulkCreate(
      Array.from({ length: 1_100 }, (_, at) => ({
        serverId,
        steamId: String(76_561_198_000_000_000n + BigInt(at)),
        name: at % 2 === 0 ? marked : "1 < 2",
      })),
    );
    const wipe = await models.SurvivalWipe.create({ serverId, saveId: 1, startedAt: seenAt });
    await models.SurvivalTally.create({ wipeId: wipe.id, steamId, name: marked });
    const seen = { firstSeenAt: seenAt, lastSeenAt: seenAt };
    const clan = await models.SurvivalClan.create({
      serverId,
      clanId: "1",
      created: "1",
      name: marked,
      motd: marked,
      ...seen,
    });
    const member = { clanRowId: clan.id, steamId, name: marked, roleName: marked };
    await models.SurvivalClanMember.create(member);
    const { userId } = await signIn(server);
    await buildSteamLink(server, { steamId, userId, name: marked });
    const document = { displayName: marked, names: ["Anna", marked], health: 100 };
    const profile = await models.SurvivalNpcProfile.create({ key: "boss", document });
    const revision = { profileId: profile.id, revision: 1, origin: "server", serverId } as const;
    await models.SurvivalNpcRevision.create({ ...revision, document });
    const ofSite = { profileId: profile.id, revision: 2, origin: "site" } as const;
    await models.SurvivalNpcRevision.create({ ...ofSite, document });

    expect(await cleanStoredTexts(sequelize)).toBe(550 + 7);
    const plain = "Anna";
    expect(await textsOf()).toEqual([
      {
        sightings: ["1 < 2", plain],
        tally: plain,
        clan: plain,
        motd: plain,
        member: plain,
        role: plain,
        link: plain,
        document: { displayName: plain, names: [plain, plain], health: 100 },
        site: marked,
      },
    ]);
    expect(await cleanStoredTexts(sequelize)).toBe(0);
  });
});
