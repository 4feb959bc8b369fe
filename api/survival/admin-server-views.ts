import { describeLinkCodes } from "../../shared/survival/links/link-codes.ts";
import type { ServerRecord } from "../../shared/survival/servers/read-servers.ts";
import type { CallerAccess } from "../../shared/survival/visibility/visibility.ts";
import { viewHelperMods, viewLink } from "./server-link-views.ts";
import { viewServer } from "./views.ts";

/**
 * Converts a server for administrators, with its link but without token and password.
 *
 * @openapi
 * components:
 *   schemas:
 *     AdminSurvivalServer:
 *       type: object
 *       additionalProperties: false
 *       required: [id, slug, name, description, region, framework, modded, connect, online, onlineSince,
 *         lastSeenAt, players, maxPlayers, queued, joining, map, mapHash, lastWipe, nextWipe,
 *         nextWipeSource, wipeRule, wipeTimezone, tabs, sort, enabled, listed, acceptsLinks,
 *         linkCodes, kind, baseUrl, wsUrl, hasToken, rconHost, rconPort, rconTls, hasPassword, hasKey, keyCreatedAt, keyLastUsedAt,
 *         plugin, reportKey, protocol, link, helpers, wipeDay, wipeTime, wipeCron, wipeAt, titleMode,
 *         titleMax, permissionSync, showSeed, ignoreStaff, createdAt, updatedAt]
 *       properties:
 *         id: { type: integer }
 *         slug: { type: string, description: Unique name of the server in URLs. }
 *         name: { type: string }
 *         description:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Text about the server for players. If null, players see the name that the game server
 *             reports.
 *         region: { type: string, nullable: true }
 *         framework:
 *           type: string
 *           nullable: true
 *           enum: [oxide, carbon, vanilla, null]
 *           description: Mod loader of the game server. Null before the server's first report.
 *         modded: { $ref: '#/components/schemas/Modded' }
 *         connect:
 *           type: string
 *           nullable: true
 *           description: Host and port to which players connect, as host:port. Null if not public.
 *         online: { type: boolean, description: Whether the game is running and reports to the service. }
 *         onlineSince:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: Since when the server has been online. Null while the server is offline.
 *         lastSeenAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the game server last reported its status. Null before the first report.
 *         players:
 *           type: integer
 *           nullable: true
 *           description: Number of players on the server. Null while the server is offline.
 *         maxPlayers:
 *           type: integer
 *           nullable: true
 *           description: Maximum number of players. Null while the server is offline.
 *         queued:
 *           type: integer
 *           nullable: true
 *           description: Number of players who wait for a free place. Null while unknown.
 *         joining:
 *           type: integer
 *           nullable: true
 *           description: Number of players who are loading the world. Null while unknown.
 *         map: { $ref: '#/components/schemas/SurvivalWorld' }
 *         mapHash:
 *           type: string
 *           nullable: true
 *           description: SHA-256 of the map image of the current world. Null if there is no image.
 *         lastWipe:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the current world was created.
 *         nextWipe:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the next wipe is due. When this time has passed, the field keeps its value until
 *             the new world exists, but for an hour at most. Null if no wipe is scheduled.
 *         nextWipeSource:
 *           type: string
 *           nullable: true
 *           enum: [at, cron, rule, null]
 *           description: >-
 *             Part of the wipe schedule that determines `nextWipe`. `at`: `wipeAt`. `cron`:
 *             `wipeCron`. `rule`: the weekly, biweekly or monthly rule. Null if no wipe is
 *             scheduled.
 *         wipeRule: { $ref: '#/components/schemas/WipeRule' }
 *         wipeTimezone:
 *           type: string
 *           nullable: true
 *           description: IANA time zone in which the times of the schedule apply.
 *         tabs: { $ref: '#/components/schemas/SurvivalTabs' }
 *         sort: { type: integer, description: 'Position of the server in lists, lowest first.' }
 *         enabled: { type: boolean, description: Whether the link to the game server is turned on. }
 *         listed: { type: boolean, description: Whether public operations return the server. }
 *         acceptsLinks:
 *           type: boolean
 *           description: Whether codes that this server issues can link Steam accounts.
 *         linkCodes: { $ref: '#/components/schemas/SurvivalLinkCodes' }
 *         kind: { $ref: '#/components/schemas/SurvivalLinkKind' }
 *         baseUrl:
 *           type: string
 *           description: URL of the sidecar's control API. Empty if not set.
 *         wsUrl:
 *           type: string
 *           description: URL of the sidecar's event stream. Empty if not set.
 *         hasToken: { type: boolean, description: Whether a token for the sidecar is stored. }
 *         rconHost:
 *           type: string
 *           example: rust.example.org
 *           description: Host of the game server's WebRCON console. Empty if not set.
 *         rconPort: { type: integer, example: 28016, description: Port of the WebRCON console. }
 *         rconTls: { type: boolean, description: Whether the WebRCON console uses TLS. }
 *         hasPassword: { type: boolean, description: Whether a password of the WebRCON console is stored. }
 *         hasKey:
 *           type: boolean
 *           description: Whether the link has a valid plugin key. The key itself is never returned.
 *         keyCreatedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When the newest valid plugin key was created. Null if no plugin key is valid.
 *         keyLastUsedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             When a plugin last called the site with a valid key. Null before the first call.
 *         plugin: { $ref: '#/components/schemas/LinkedPlugin' }
 *         reportKey:
 *           type: object
 *           nullable: true
 *           additionalProperties: false
 *           required: [createdAt, lastUsedAt]
 *           description: >-
 *             The key with which the game sends reports of players to the site, without the key
 *             itself. Null if the server has no such key. Without a key, the site receives reports
 *             only over the link. A link of the kind `webrcon` receives reports only if the game's
 *             setting `server.printReportsToConsole` is on; it is off by default.
 *           properties:
 *             createdAt: { type: string, format: date-time }
 *             lastUsedAt:
 *               type: string
 *               format: date-time
 *               nullable: true
 *               description: When the game last sent a report with the key. Null before the first report.
 *         protocol: { type: integer, example: 13, description: Version of the bridge protocol that the link uses. }
 *         link: { $ref: '#/components/schemas/SurvivalLinkState' }
 *         helpers:
 *           type: array
 *           items: { $ref: '#/components/schemas/SurvivalHelper' }
 *           description: Optional mods of the game server, as it last reported them.
 *         wipeDay:
 *           type: integer
 *           nullable: true
 *           description: Weekday of the wipe. 0 is Sunday.
 *         wipeTime:
 *           type: string
 *           nullable: true
 *           example: '19:00'
 *           description: Time of day of the wipe, as HH:mm in `wipeTimezone`.
 *         wipeCron: { type: string, nullable: true }
 *         wipeAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Time of a single wipe. With a rule other than `once`, the single wipe is the next
 *             wipe until its time has passed; then the rule applies.
 *         titleMode:
 *           type: string
 *           enum: [first, all, upTo]
 *           description: >-
 *             How many of a player's chat titles the game shows. `first`: only the first title.
 *             `all`: all titles. `upTo`: at most `titleMax` titles.
 *         titleMax: { type: integer, nullable: true, description: Maximum number of chat titles that the game shows. Null unless `titleMode` is `upTo`. }
 *         permissionSync:
 *           type: boolean
 *           description: Whether the site manages the permissions of players on this server.
 *         showSeed:
 *           type: boolean
 *           description: Whether responses contain the seed of the map.
 *         ignoreStaff:
 *           type: boolean
 *           description: Whether rankings leave out players whom the game reports as staff.
 *         createdAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *     SurvivalLinkKind:
 *       type: string
 *       enum: [sidecar, plugin, webrcon]
 *       description: >-
 *         How the server is linked. `sidecar`: the service connects to a sidecar. `plugin`: a
 *         plugin in the game calls the service. `webrcon`: the service connects to the game's own
 *         console.
 *     SurvivalLinkCodes:
 *       type: object
 *       description: >-
 *         The codes that the server issues so that players can link their Steam accounts.
 *       additionalProperties: false
 *       required: [lastAt, problem]
 *       properties:
 *         lastAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the server last reported that it had issued a code.
 *         problem:
 *           type: string
 *           nullable: true
 *           description: Why codes from this server cannot link Steam accounts. Null if they can.
 *           example: The plugin sends no hash of its codes. Update it.
 */
export const viewAdminServer = (record: ServerRecord, view: CallerAccess) => {
  const { server } = record;
  const { enabled, listed, baseUrl, wsUrl, protocol, wipeDay, wipeTime, wipeCron, wipeAt } = server;
  const { titleMode, titleMax, permissionSync, showSeed, ignoreStaff } = server;
  return {
    ...viewServer(record, view),
    description: server.description,
    enabled,
    listed,
    acceptsLinks: server.acceptsLinks,
    linkCodes: describeLinkCodes(record),
    kind: server.kind,
    baseUrl,
    wsUrl,
    hasToken: server.tokenSealed !== null,
    rconHost: server.rconHost,
    rconPort: server.rconPort,
    rconTls: server.rconTls,
    hasPassword: server.rconPasswordSealed !== null,
    ...record.plugin,
    reportKey: record.reportKey,
    protocol,
    link: viewLink(record),
    helpers: viewHelperMods(record),
    wipeDay,
    wipeTime,
    wipeCron,
    wipeAt,
    titleMode,
    titleMax,
    permissionSync,
    showSeed,
    ignoreStaff,
    createdAt: server.createdAt,
    updatedAt: server.updatedAt,
  };
};
