// This file is generated from the description of the API. Run `npm run docs` to update it.



export type LoginResult = (SignedIn | Challenge)
export type Role = ("admin" | "editor" | "moderator" | "player")
export type Reissued = (Ok | OkWithTokens)
export type OkWithTokens = ({
ok: true
} & MobileTokenResponse)
export type TotpDisabled = (TotpState | TotpOffWithTokens)
export type TotpOffWithTokens = ({
totp_enabled: false
} & MobileTokenResponse)
export type Author = ({
id: number
username: string
} | null)
export type RemovedParts = RemovedPart[]
export type WikiCategory = ({
slug: string
name: string
} | null)
export type PageAudience = ("anonymous" | "logged_in" | "staff")
export type SsoSignedIn = (SafeUser | RedirectTo)
export type DecayStage = ("Ageless" | "LikeNew" | "Slightly" | "Somewhat" | "Fairly" | "Greatly" | "IDOC" | "Collapsed" | "DemolitionPending")
export type FacetName = (string | null)
export type Coordinate = (number | null)
export type RegionName = (string | null)
export type MarketLocation = ({
map: FacetName
x: Coordinate
y: Coordinate
z: Coordinate
region: RegionName
house: (string | null)
} | null)
export type LinkStatus = ("connected" | "reconnecting" | "disconnected" | "error")
export type EconomyPoint = ({
accounts: (number | null)
gold: (number | null)
t: number
} | null)
export type Ruleset = ({
skillCap?: (number | null)
totalSkillCap?: (number | null)
statCap?: (number | null)
accountsPerIp?: (number | null)
houseLimit?: (number | null)
youngHours?: (number | null)
restartHour?: (number | null)
vendorMaxPrice?: (number | null)
expansion?: (string | null)
signupMode?: (string | null)
vvv?: (boolean | null)
siege?: (boolean | null)
champions?: ((boolean | null) | {
name: string
type?: (string | null)
}[])
maps?: ({
name: string
rules?: (string | null)
}[] | null)
decay?: ({
type?: (string | null)
periods?: (({
[k: string]: number | undefined
} | null) | string[])
} | null)
} | null)
export type Rung = ("anonymous" | "logged_in" | "player" | "staff" | "admin")
export type Feature = ("status" | "online" | "presence" | "houses" | "leaderboards" | "ruleset" | "market" | "atlas" | "champions" | "governors" | "guilds" | "deeds" | "announcements")
export type SiteMode = ("live" | "maintenance" | "closed")
export type AppealState = ("open" | "assigned" | "accepted" | "reduced" | "rejected" | "withdrawn")
export type ShardLinkKind = ("sidecar" | "plugin" | "status")
export type LinkedPlugin = ({
name: string
version: string
} | null)
export type SignupModeName = ("disabled" | "website" | "hybrid" | "game")
export type Place = ({
map?: FacetName
x?: Coordinate
y?: Coordinate
z?: Coordinate
region?: RegionName
} | null)
export type Someone = ((string | null) | SomeCharacter)
export type LockedField = ("acct" | "webId")
export type Revision = string
export type AssetStatusCode = ("DISABLED" | "NO_SOURCE" | "SHARD_DOWN" | "PROTOCOL" | "BUSY" | "NO_IMAGING" | "SOURCE_CHANGED" | "UNAVAILABLE" | null)
export type AssetEnd = ("skipped" | "unavailable" | "unchanged" | "imported" | "needsReview" | "failed")
export type AssetCode = ("DISABLED" | "NO_SOURCE" | "SHARD_DOWN" | "PROTOCOL" | "BUSY" | "NO_IMAGING" | "SOURCE_CHANGED" | "INCOMPLETE" | "STUCK" | "MALFORMED" | "TOO_LARGE" | "UNAVAILABLE" | null)
export type ItemArtEnd = ("skipped" | "unavailable" | "unchanged" | "imported" | "failed")
export type ItemArtCode = ("DISABLED" | "NO_SOURCE" | "SHARD_DOWN" | "PROTOCOL" | "BUSY" | "NO_IMAGING" | "UNSUPPORTED" | "INCOMPLETE" | "STUCK" | "MALFORMED" | "TOO_LARGE" | "UNAVAILABLE" | null)
export type AtlasPoint = ({
x: number
y: number
z: number
map?: string
} | null)
export type AtlasRectOrNull = (AtlasRect | {

})
export type BodyStatus = ("ok" | "unknown" | "notCreature" | "failed" | null)
export type AtlasSource = ("bridge" | "fs")
export type AtlasCode = ("NO_PATH" | "NOT_FOUND" | "NO_REGIONS" | "NO_SPAWNS" | "DISABLED" | "SOURCE_CHANGED" | "INCOMPLETE" | "MALFORMED" | "BUSY" | "SHARD_DOWN" | "TOO_LARGE" | null)
export type AtlasCounts = ({
facets: number
regions: number
rects: number
spawners: number
entries: number
creatures: number
files: number
skipped: number
skippedBy?: {
noFacet?: number
noPosition?: number
outsideMap?: number
notARecord?: number
emptyFile?: number
otherFormat?: number
}
skippedExamples?: {
outsideMap?: string[]
}
warnings: number
regionSpawns?: number
perFacet: {
[k: string]: {
regions?: number
rects?: number
spawners?: number
entries?: number
total?: number
} | undefined
}
} | null)
export type AtlasTree = ({
kind: TreeKind
era: (string | null)
folders: string[]
leftOut: {
path: string
files: number
}[]
} | null)
export type TreeKind = ("servuo" | "modernuo" | "runuo" | "xrunuo")
export type AtlasEnd = ("skipped" | "unavailable" | "unchanged" | "imported" | "needsReview" | "failed" | "rejected" | "none")
export type AtlasSourceOrNull = ("bridge" | "fs" | null)
export type ClilocSource = ("bridge" | "file")
export type ClilocStatusCode = ("NO_PATH" | "NOT_FOUND" | "NO_FILE" | "UNREADABLE" | "COMPRESSED" | "DISABLED" | "NO_SOURCE" | "SHARD_DOWN" | "PROTOCOL" | "BUSY" | "UNAVAILABLE" | null)
export type ClilocEnd = ("skipped" | "unavailable" | "unchanged" | "imported" | "needsReview" | "failed")
export type ClilocSourceOrNull = ("bridge" | "file" | null)
export type ClilocCode = ("NO_PATH" | "NOT_FOUND" | "NO_FILE" | "UNREADABLE" | "COMPRESSED" | "DISABLED" | "NO_SOURCE" | "SHARD_DOWN" | "PROTOCOL" | "BUSY" | "UNAVAILABLE" | "TRUNCATED" | "EMPTY" | "NOT_BUFFER" | "SOURCE_CHANGED" | "INCOMPLETE" | "STUCK" | "MALFORMED" | "TOO_LARGE" | null)
export type PublicRunStatus = ("scheduled" | "running" | "completed" | "cancelled")
export type EventRisk = ("inspect" | "notify" | "world" | "destructive")
export type EventParamType = ("string" | "text" | "integer" | "number" | "boolean" | "duration" | "datetime" | "enum" | "serial" | "location" | "server" | "stream")
export type EventParamValue = ((string | null) | number | boolean | {
map: string
x: number
y: number
z?: number
})
export type EventOnFailure = ("continue" | "pause" | "abort" | "park")
export type EventScheduleKind = ("manual" | "once" | "recurring")
export type EventOperator = ("eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "exists")
export type EventAdvanceKind = ("steps" | "after" | "trigger" | "manual")
export type SwitchedAction = (EventActionFields & {
enabled: boolean
configured: boolean
changesWorld: boolean
caps: EventCaps
updatedAt: (string | null)
updatedBy: (number | null)
})
export type EventScope = string
export type EventEntryStatus = ("scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed" | "projected")
export type EventRunStatus = ("scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed")
export type EventRunHealth = ("ok" | "degraded")
export type EventStepStatus = ("pending" | "ready" | "running" | "succeeded" | "failed" | "skipped" | "cancelled")
export type EventLogKind = ("created" | "repinned" | "started" | "phase" | "step.started" | "step.succeeded" | "step.failed" | "step.retried" | "step.skipped" | "step.confirmed" | "parked" | "refused" | "budget" | "paused" | "resumed" | "advanced" | "cancelled" | "completed" | "failed" | "missed" | "trigger")
export type EventState = ("draft" | "ready" | "archived")
export type Modded = (boolean | null)
export type SurvivalWorld = ({
level: (string | null)
seed: (string | null)
worldSize: (number | null)
custom: boolean
} | null)
export type WipeRule = ("weekly" | "biweekly" | "monthly" | "cron" | "once" | null)
export type SteamId = string
export type SurvivalMapImage = ({
hash: string
url: string
width: number
height: number
oceanMargin: number
background: (string | null)
} | null)
export type SurvivalMapGrid = ({
cells: number
cellSize: number
} | null)
export type SurvivalMapEnd = ("fetched" | "unchanged" | "unavailable" | "failed")
export type SurvivalMapCode = ("SHARD_DOWN" | "UNSUPPORTED" | "NO_IMAGE" | "MALFORMED" | "TOO_LARGE" | "BUSY" | null)
export type SurvivalMapRenderEnd = ("queued" | "unavailable" | "failed")
export type SurvivalLinkKind = ("sidecar" | "plugin" | "webrcon")
export type SurvivalBound = ("events" | "eventBytes" | "storedEventBytes" | "worlds" | "sightings" | "presence" | "tallies" | "npcKills" | "clans" | "clanMembers" | "linkCodes" | "ledger" | "npcRevisions" | "mapImages" | "reports" | "reportsOfPlayer" | "notices" | "pushes" | "staffPushes" | "reportPushes")
export type SurvivalTitlesPush = ({
state: ("pending" | "pushed" | "failed" | "offline" | "unsupported")
at: (string | null)
error: (string | null)
} | null)
export type NpcReach = ("pushed" | "pending" | "failed" | "offline" | "unsupported")
export type TokenRole = ("player" | "editor" | "moderator")
export type Scope = ("site:read" | "site:write" | "appeals:read" | "appeals:write" | "shard:read" | "shard:write" | "shard-staff:read" | "shard-staff:write" | "content:read" | "content:write" | "events:read" | "events:write" | "survival:read" | "survival:write" | "survival-staff:read" | "survival-staff:write")
export type RevokedSessions = (RevokedCount | RevokedCountWithTokens)
export type RevokedCountWithTokens = ({
revoked: number
} & MobileTokenResponse)
export type WebhookStream = ("news.post" | "server.status" | "idoc.warning" | "champ.start" | "governor.election" | "site.notice" | "event.started" | "event.completed" | "survival.server" | "survival.wipe" | "event.run")
export type WebhookFault = ("gone" | "refused" | "limited" | "unavailable" | "timeout" | "unreachable" | "address" | "certificate" | "redirect" | "too_large" | "expired" | "unreadable" | null)
export type Issuer = ({
id: (number | null)
username: (string | null)
} | null)
export type Unban = ({
status: ("done" | "queued" | "failed")
reason: (string | null)
} | null)
export type SurvivalReportState = ("open" | "seen" | "closed")
export type ReportReader = ({
id: number
username: string
} | null)
export type QueueReport = (QueueStates | JobList)
export type QueueGroup = ("upkeep" | "mail" | "imports" | "push" | "events")
export type ProcessKind = ("web" | "ingest" | "worker")
export type ImportName = ("atlas" | "clilocs" | "assets" | "item-art" | "map" | "map-render")
export type JobState = ("created" | "retry" | "active" | "completed" | "cancelled" | "failed")
export type JobProgress = ({
phase: string
done: number
total: (number | null)
unit: ProgressUnit
startedAt: string
updatedAt: string
} | null)
export type ProgressUnit = ("bytes" | "files" | "entries")
export type SurvivalFeedEvent = (SurvivalFeedWorldWiped | SurvivalFeedPlayerJoined | SurvivalFeedPlayerLeft | SurvivalFeedPlayerRespawned | SurvivalFeedPlayerDied | SurvivalFeedPlayerChat | SurvivalFeedSurvivalNpcDied)
export type SurvivalStat = string
export type SurvivalLeader = ({
steamId: SteamId
name: string
value: number
} | null)
export type SurvivalStoredEvent = (SurvivalStoredWorldWiped | SurvivalStoredPluginLoaded | SurvivalStoredPluginUnloaded | SurvivalStoredPluginFailed | SurvivalStoredPlayerJoined | SurvivalStoredPlayerLeft | SurvivalStoredPlayerRespawned | SurvivalStoredPlayerDied | SurvivalStoredPlayerChat | SurvivalStoredPlayerReported | SurvivalStoredClanCreated | SurvivalStoredClanDisbanded | SurvivalStoredClanMemberAdded | SurvivalStoredClanMemberLeft | SurvivalStoredClanMemberKicked | SurvivalStoredClanChanged | SurvivalStoredSurvivalNpcDied | SurvivalStoredSurvivalNpcHealth | SurvivalStoredWorldExpired | SurvivalStoredLeaseExpired | SurvivalStoredConfigOutcome | SurvivalStoredOther)
export type PermissionSyncState = ("clean" | "dirty" | "pushing" | "failed" | "offline")
export type ZonePlace = ({
x: number
y: number
z: number
} | string)

export interface Operations {
"POST /auth/login": {
path: {

}
query: {

}
body: {
username: string
password: string
company?: string
}
answer: LoginResult
}
"POST /auth/login/totp": {
path: {

}
query: {

}
body: {
challenge?: string
code?: string
recoveryCode?: string
trustDevice?: boolean
}
answer: SignedIn
}
"POST /auth/register": {
path: {

}
query: {

}
body: {
username: string
password: string
email?: string
company?: string
}
answer: SafeUser
}
"POST /auth/logout": {
path: {

}
query: {

}
body: null
answer: Ok
}
"GET /auth/me": {
path: {

}
query: {

}
body: null
answer: SafeUser
}
"POST /auth/mobile/login": {
path: {

}
query: {

}
body: {
username: string
password: string
code?: string
recoveryCode?: string
device_name?: (string | null)
company?: string
}
answer: MobileTokenResponse
}
"POST /auth/mobile/refresh": {
path: {

}
query: {

}
body: {
refreshToken: string
}
answer: MobileTokenResponse
}
"POST /auth/mobile/logout": {
path: {

}
query: {

}
body: {
refreshToken: string
}
answer: Ok
}
"GET /auth/mobile/sso/start": {
path: {

}
query: {
provider: string
redirect_uri: string
state: string
code_challenge: string
code_challenge_method: "S256"
}
body: null
answer: null
}
"POST /auth/mobile/sso/exchange": {
path: {

}
query: {

}
body: {
code: string
code_verifier?: string
codeVerifier?: string
device_name?: (string | null)
}
answer: MobileTokenResponse
}
"GET /auth/me/account": {
path: {

}
query: {

}
body: null
answer: AccountStatus
}
"PATCH /auth/me/account/username": {
path: {

}
query: {

}
body: {
username: string
}
answer: AccountStatus
}
"PATCH /auth/me/account/password": {
path: {

}
query: {

}
body: {
currentPassword: string
newPassword: string
}
answer: Reissued
}
"POST /auth/me/account/totp/setup": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: TotpSetup
}
"POST /auth/me/account/totp/enable": {
path: {

}
query: {

}
body: {
code: string
}
answer: TotpEnabled
}
"POST /auth/me/account/totp/disable": {
path: {

}
query: {

}
body: {
code?: string
recoveryCode?: string
}
answer: TotpDisabled
}
"GET /auth/me/account/identities": {
path: {

}
query: {

}
body: null
answer: LinkedIdentity[]
}
"DELETE /auth/me/account/identities/{provider}": {
path: {
provider: string
}
query: {

}
body: {
password?: string
code?: string
}
answer: Unlinked
}
"GET /player/account": {
path: {

}
query: {

}
body: null
answer: AccountStatus
}
"PATCH /player/account/username": {
path: {

}
query: {

}
body: {
username: string
}
answer: AccountStatus
}
"PATCH /player/account/password": {
path: {

}
query: {

}
body: {
currentPassword: string
newPassword: string
}
answer: Reissued
}
"POST /player/account/totp/setup": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: TotpSetup
}
"POST /player/account/totp/enable": {
path: {

}
query: {

}
body: {
code: string
}
answer: TotpEnabled
}
"POST /player/account/totp/disable": {
path: {

}
query: {

}
body: {
code?: string
recoveryCode?: string
}
answer: TotpDisabled
}
"GET /player/account/identities": {
path: {

}
query: {

}
body: null
answer: LinkedIdentity[]
}
"DELETE /player/account/identities/{provider}": {
path: {
provider: string
}
query: {

}
body: {
password?: string
code?: string
}
answer: Unlinked
}
"GET /admin/account/identities": {
path: {

}
query: {

}
body: null
answer: LinkedIdentity[]
}
"GET /auth/me/sessions": {
path: {

}
query: {

}
body: null
answer: DeviceSession[]
}
"DELETE /auth/me/sessions/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: Deleted
}
"GET /auth/me/trusted-devices": {
path: {

}
query: {

}
body: null
answer: TrustedDevice[]
}
"DELETE /auth/me/trusted-devices/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: Deleted
}
"POST /auth/me/recovery-codes": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: RecoveryCodes
}
"POST /auth/me/recovery-codes/regenerate": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: RecoveryCodes
}
"POST /auth/me/devices": {
path: {

}
query: {

}
body: {
endpoint: string
keys: {
p256dh: string
auth: string
}
device_name?: (string | null)
}
answer: PushDevice
}
"GET /auth/me/devices": {
path: {

}
query: {

}
body: null
answer: PushDevice[]
}
"DELETE /auth/me/devices/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: Deleted
}
"GET /auth/me/notifications/streams": {
path: {

}
query: {

}
body: null
answer: NotificationStreams
}
"GET /auth/me/notifications/subscriptions": {
path: {

}
query: {

}
body: null
answer: NotificationSubscriptions
}
"PUT /auth/me/notifications/subscriptions": {
path: {

}
query: {

}
body: {
streams: string[]
}
answer: NotificationSubscriptions
}
"POST /auth/password/forgot": {
path: {

}
query: {

}
body: {
email: string
}
answer: Message
}
"GET /auth/password/reset/{token}": {
path: {
token: string
}
query: {

}
body: null
answer: ResetLink
}
"POST /auth/password/reset/{token}": {
path: {
token: string
}
query: {

}
body: {
password: string
}
answer: Ok
}
"GET /auth/invite/{token}": {
path: {
token: string
}
query: {

}
body: null
answer: OpenInvite
}
"POST /auth/invite/{token}/accept": {
path: {
token: string
}
query: {

}
body: {
username: string
password: string
company?: string
}
answer: SafeUser
}
"POST /admin/invites": {
path: {

}
query: {

}
body: {
email?: string
role: ("admin" | "editor" | "moderator" | "player")
password?: string
code?: string
}
answer: MadeInvite
}
"GET /admin/invites": {
path: {

}
query: {

}
body: null
answer: {
invites: Invite[]
}
}
"DELETE /admin/invites/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: DeletedId
}
"GET /public/posts": {
path: {

}
query: {
q?: string
limit?: number
offset?: number
tag?: string
}
body: null
answer: PostPage
}
"GET /public/posts/{slug}": {
path: {
slug: string
}
query: {

}
body: null
answer: Post
}
"POST /admin/posts": {
path: {

}
query: {

}
body: {
title: string
slug?: string
excerpt?: (string | null)
body: string
image_url?: (string | null)
tags?: string[]
pinned?: boolean
status?: ("draft" | "scheduled" | "published")
published_at?: (string | null)
}
answer: Post
}
"PUT /admin/posts/{id}": {
path: {
id: number
}
query: {

}
body: {
title?: string
slug?: string
excerpt?: (string | null)
body?: string
image_url?: (string | null)
tags?: string[]
pinned?: boolean
status?: ("draft" | "scheduled" | "published")
published_at?: (string | null)
base_revision?: number
}
answer: Post
}
"DELETE /admin/posts/{id}": {
path: {
id: number
}
query: {

}
body: {
base_revision?: number
}
answer: DeletedId
}
"GET /public/wiki": {
path: {

}
query: {
q?: string
limit?: number
offset?: number
category?: string
tag?: string
}
body: null
answer: WikiIndex
}
"GET /public/wiki/categories": {
path: {

}
query: {

}
body: null
answer: CountedCategory[]
}
"GET /public/wiki/tags": {
path: {

}
query: {

}
body: null
answer: CountedTag[]
}
"GET /public/wiki/{slug}": {
path: {
slug: string
}
query: {

}
body: null
answer: WikiPage
}
"GET /public/pages": {
path: {

}
query: {

}
body: null
answer: NavigationEntry[]
}
"GET /public/pages/{slug}": {
path: {
slug: string
}
query: {

}
body: null
answer: Page
}
"GET /public/feed": {
path: {

}
query: {
format?: ("rss" | "atom" | "json")
}
body: null
answer: null
}
"GET /auth/providers": {
path: {

}
query: {

}
body: null
answer: Provider[]
}
"GET /admin/auth/providers": {
path: {

}
query: {

}
body: null
answer: ProviderConfig[]
}
"POST /admin/auth/providers": {
path: {

}
query: {

}
body: {
name: string
icon?: (string | null)
priority?: number
enabled?: boolean
issuer: string
clientId: string
clientSecret?: (string | null)
scopes?: string[]
tokenAuthMethod?: ("client_secret_basic" | "client_secret_post" | null)
idTokenAlgorithm?: ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519" | "HS256" | "HS384" | "HS512" | null)
id: string
password?: string
code?: string
}
answer: ProviderConfig
}
"PUT /admin/auth/providers/{id}": {
path: {
id: string
}
query: {

}
body: {
name?: string
icon?: (string | null)
priority?: number
enabled?: boolean
issuer?: string
clientId?: string
clientSecret?: (string | null)
scopes?: string[]
tokenAuthMethod?: ("client_secret_basic" | "client_secret_post" | null)
idTokenAlgorithm?: ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519" | "HS256" | "HS384" | "HS512" | null)
password?: string
code?: string
}
answer: ProviderConfig
}
"DELETE /admin/auth/providers/{id}": {
path: {
id: string
}
query: {

}
body: null
answer: DeletedProvider
}
"GET /auth/sso/{provider}/start": {
path: {
provider: string
}
query: {
returnTo?: string
}
body: null
answer: null
}
"POST /auth/sso/{provider}/link": {
path: {
provider: string
}
query: {

}
body: {
password?: string
code?: string
}
answer: RedirectTo
}
"GET /auth/sso/{provider}/callback": {
path: {
provider: string
}
query: {
state: string
code?: string
error?: string
error_description?: string
iss?: string
}
body: null
answer: null
}
"POST /auth/sso/totp": {
path: {

}
query: {

}
body: {
challenge?: string
code?: string
recoveryCode?: string
trustDevice?: boolean
}
answer: SsoSignedIn
}
"GET /public/shard/houses": {
path: {

}
query: {

}
body: null
answer: PublicHouse[]
}
"GET /admin/shard/houses": {
path: {

}
query: {

}
body: null
answer: ShardHouse[]
}
"GET /public/shard/market": {
path: {

}
query: {
q?: string
minPrice?: number
maxPrice?: number
itemId?: number
map?: string
region?: string
sort?: ("price_asc" | "price_desc" | "recent")
limit?: number
offset?: number
}
body: null
answer: MarketPage
}
"GET /public/shard/market/meta": {
path: {

}
query: {

}
body: null
answer: MarketMeta
}
"GET /public/shard/market/vendors/{serial}": {
path: {
serial: string
}
query: {
limit?: number
offset?: number
}
body: null
answer: MarketVendor
}
"GET /public/shard/points": {
path: {

}
query: {

}
body: null
answer: PointsBoard[]
}
"GET /public/shard/points/{system}": {
path: {
system: string
}
query: {

}
body: null
answer: PointsBoard
}
"GET /public/shard/status": {
path: {

}
query: {

}
body: null
answer: ShardStatus
}
"GET /public/shard/online": {
path: {

}
query: {

}
body: null
answer: OnlinePlayer[]
}
"GET /public/shard/presence": {
path: {

}
query: {

}
body: null
answer: Presence
}
"GET /public/shard/ruleset": {
path: {

}
query: {

}
body: null
answer: Ruleset
}
"GET /public/shard/features": {
path: {

}
query: {

}
body: null
answer: ShardFeatures
}
"GET /public/shard/stream": {
path: {

}
query: {
lastEventId?: string
}
body: null
answer: null
}
"GET /admin/shardlink/stream": {
path: {

}
query: {
lastEventId?: string
}
body: null
answer: null
}
"GET /public/status": {
path: {

}
query: {

}
body: null
answer: PublicStatus
}
"GET /public/settings": {
path: {

}
query: {

}
body: null
answer: PublicSettings
}
"PUT /admin/settings": {
path: {

}
query: {

}
body: {
registration_enabled?: boolean
game_account_signup?: boolean
mobile_app_links_enabled?: boolean
staff_second_factor_required?: boolean
appeals_enabled?: boolean
password?: string
code?: string
}
answer: {
settings: Settings
}
}
"PUT /admin/site-mode": {
path: {

}
query: {

}
body: {
site_mode: ("live" | "maintenance" | "closed")
status_message?: (string | null)
}
answer: ChangedSiteMode
}
"DELETE /admin/bans/{ip}": {
path: {
ip: string
}
query: {

}
body: null
answer: LiftedBan
}
"GET /admin/discord-bot/config": {
path: {

}
query: {

}
body: null
answer: ChatBotConfig
}
"PUT /admin/discord-bot/config": {
path: {

}
query: {

}
body: {
enabled?: boolean
guildId?: (string | null)
announceChannelId?: (string | null)
token?: (string | null)
password?: string
code?: string
}
answer: ChatBotConfig
}
"GET /dashboard": {
path: {

}
query: {

}
body: null
answer: Dashboard
}
"GET /player/appeals": {
path: {

}
query: {
limit?: number
offset?: number
}
body: null
answer: {
appeals: Appeal[]
}
}
"POST /player/appeals": {
path: {

}
query: {

}
body: {
account: string
reason: string
}
answer: {
appeal: Appeal
}
}
"GET /player/appeals/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: OwnAppeal
}
"POST /player/appeals/{id}/messages": {
path: {
id: number
}
query: {

}
body: {
body?: string
withdraw?: true
internal?: false
}
answer: SaidByOwner
}
"GET /admin/shardlink/config": {
path: {

}
query: {

}
body: null
answer: ShardlinkConfig
}
"PUT /admin/shardlink/config": {
path: {

}
query: {

}
body: {
kind?: ("sidecar" | "plugin" | "status")
baseUrl?: string
wsUrl?: string
token?: string
protocol?: (7 | 8)
statusHost?: string
statusPort?: number
enabled?: boolean
password?: string
code?: string
}
answer: ShardlinkConfig
}
"GET /admin/shardlink/signup-mode": {
path: {

}
query: {

}
body: null
answer: SignupModes
}
"PUT /admin/shardlink/signup-mode": {
path: {

}
query: {

}
body: {
mode: ("disabled" | "website" | "hybrid" | "game")
}
answer: SignupMode
}
"POST /admin/shardlink/towncrier": {
path: {

}
query: {

}
body: TownCrierRequest
answer: TownCrierEntry
}
"DELETE /admin/shardlink/towncrier/{id}": {
path: {
id: string
}
query: {

}
body: null
answer: TownCrierRemoved
}
"POST /player/shard/link": {
path: {

}
query: {

}
body: ShardLinkRequest
answer: ShardLink
}
"POST /admin/shard/link": {
path: {

}
query: {

}
body: ShardLinkRequest
answer: ShardLink
}
"GET /player/shard/accounts": {
path: {

}
query: {

}
body: null
answer: ShardLink[]
}
"GET /admin/shard/accounts": {
path: {

}
query: {

}
body: null
answer: ShardLink[]
}
"POST /player/shard/account": {
path: {

}
query: {

}
body: {
account: string
password: string
}
answer: GameAccount
}
"POST /admin/shard/account": {
path: {

}
query: {

}
body: {
account: string
password: string
}
answer: GameAccount
}
"GET /player/shard/char/{serial}": {
path: {
serial: string
}
query: {

}
body: null
answer: CharacterSheet
}
"GET /admin/shard/char/{serial}": {
path: {
serial: string
}
query: {

}
body: null
answer: CharacterSheet
}
"GET /player/shard/roster/{account}": {
path: {
account: string
}
query: {

}
body: null
answer: Roster
}
"GET /admin/shard/roster/{account}": {
path: {
account: string
}
query: {

}
body: null
answer: Roster
}
"GET /player/shard/vendors/{account}": {
path: {
account: string
}
query: {

}
body: null
answer: OwnVendors
}
"GET /admin/shard/vendors/{account}": {
path: {
account: string
}
query: {

}
body: null
answer: OwnVendors
}
"GET /player/shard/sales": {
path: {

}
query: {
limit?: number
}
body: null
answer: VendorSale[]
}
"GET /admin/shard/sales": {
path: {

}
query: {
limit?: number
}
body: null
answer: VendorSale[]
}
"GET /player/shard/houses": {
path: {

}
query: {

}
body: null
answer: ShardHouse[]
}
"POST /admin/shard/kick": {
path: {

}
query: {

}
body: {
account?: string
serial?: string
}
answer: Kicked
}
"POST /admin/shard/ban": {
path: {

}
query: {

}
body: {
account?: string
serial?: string
durationSec?: number
reason?: string
}
answer: Banned
}
"POST /admin/shard/unban": {
path: {

}
query: {

}
body: {
account: string
}
answer: Unbanned
}
"POST /admin/shard/broadcast": {
path: {

}
query: {

}
body: {
text: string
hue?: number
}
answer: BroadcastDone
}
"GET /admin/shard/pages": {
path: {

}
query: {

}
body: null
answer: HelpPage[]
}
"POST /admin/shard/pages/{id}/respond": {
path: {
id: string
}
query: {

}
body: {
message: string
close?: boolean
}
answer: PageDone
}
"POST /admin/shard/pages/{id}/close": {
path: {
id: string
}
query: {

}
body: null
answer: PageDone
}
"GET /admin/shard/audit": {
path: {

}
query: {
limit?: number
}
body: null
answer: StoredAdminAuditEvent[]
}
"GET /admin/users/{id}/shard/accounts": {
path: {
id: number
}
query: {

}
body: null
answer: ShardLink[]
}
"GET /admin/users/{id}/shard/houses": {
path: {
id: number
}
query: {

}
body: null
answer: ShardHouse[]
}
"GET /admin/users/{id}/shard/online": {
path: {
id: number
}
query: {

}
body: null
answer: OnlinePlayer[]
}
"GET /admin/users/{id}/shard/sales": {
path: {
id: number
}
query: {
limit?: number
}
body: null
answer: VendorSale[]
}
"GET /admin/users/{id}/shard/standing": {
path: {
id: number
}
query: {

}
body: null
answer: Standing
}
"DELETE /admin/users/{id}/shard/link/{account}": {
path: {
id: number
account: string
}
query: {

}
body: null
answer: AccountUnlinked
}
"GET /admin/shard/visibility": {
path: {

}
query: {

}
body: null
answer: VisibilityConfig
}
"PUT /admin/shard/visibility": {
path: {

}
query: {

}
body: VisibilityUpdate
answer: VisibilityConfig
}
"GET /admin/survival/servers/{id}/integrations": {
path: {
id: number
}
query: {

}
body: null
answer: SurvivalIntegrations
}
"GET /admin/shard/assets": {
path: {

}
query: {

}
body: null
answer: AssetStatus
}
"POST /admin/shard/assets/import": {
path: {

}
query: {

}
body: {
force?: boolean
approve?: boolean
}
answer: AssetImportResult
}
"POST /admin/shard/assets/warm": {
path: {

}
query: {

}
body: {
force?: boolean
limit?: number
}
answer: ItemArtWarmResult
}
"GET /public/atlas": {
path: {

}
query: {
facet?: string
region?: string
creature?: string
x?: number
y?: number
bbox?: string
q?: string
limit?: number
offset?: number
}
body: null
answer: AtlasPage
}
"GET /admin/shard/atlas": {
path: {

}
query: {

}
body: null
answer: AtlasStatus
}
"PUT /admin/shard/atlas/path": {
path: {

}
query: {

}
body: {
path: string
}
answer: AtlasStatus
}
"POST /admin/shard/atlas/import": {
path: {

}
query: {

}
body: {
force?: boolean
}
answer: AtlasRefreshResult
}
"POST /admin/shard/atlas/approve": {
path: {

}
query: {

}
body: {
basedOn?: string
}
answer: AtlasRefreshResult
}
"POST /admin/shard/atlas/reject": {
path: {

}
query: {

}
body: {
basedOn?: string
}
answer: AtlasRefreshResult
}
"GET /admin/shard/clilocs": {
path: {

}
query: {

}
body: null
answer: ClilocStatus
}
"PUT /admin/shard/clilocs/path": {
path: {

}
query: {

}
body: {
path: string
}
answer: ClilocStatus
}
"POST /admin/shard/clilocs/import": {
path: {

}
query: {

}
body: {
force?: boolean
approve?: boolean
}
answer: ClilocRefreshResult
}
"GET /admin/users/{id}/trusted-devices": {
path: {
id: number
}
query: {

}
body: null
answer: TrustedDevice[]
}
"DELETE /admin/users/{id}/trusted-devices/{deviceId}": {
path: {
id: number
deviceId: number
}
query: {

}
body: null
answer: Deleted
}
"POST /admin/users/{id}/mfa/reset": {
path: {
id: number
}
query: {

}
body: {
password?: string
code?: string
}
answer: TotpState
}
"GET /public/events": {
path: {

}
query: {
limit?: number
}
body: null
answer: {
events: AnnouncedEvent[]
}
}
"GET /public/events/{slug}": {
path: {
slug: string
}
query: {
run?: number
}
body: null
answer: AnnouncedEventPage
}
"GET /public/events/series/{slug}": {
path: {
slug: string
}
query: {

}
body: null
answer: AnnouncedSeries
}
"GET /player/events/history": {
path: {

}
query: {
limit?: number
before?: string
}
body: null
answer: EventHistory
}
"GET /admin/events/catalog": {
path: {

}
query: {

}
body: null
answer: EventCatalog
}
"GET /admin/events/actions": {
path: {

}
query: {

}
body: null
answer: EventSwitchboard
}
"PUT /admin/events/actions": {
path: {

}
query: {

}
body: {
actionId: string
enabled: boolean
caps?: {
[k: string]: number | null | "" | undefined
}
}
answer: {
action: ConfiguredAction
}
}
"GET /admin/events/calendar": {
path: {

}
query: {
from: string
to: string
status?: ("scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed" | "projected")
scope?: string
seriesId?: number
}
body: null
answer: EventCalendar
}
"GET /admin/events/series": {
path: {

}
query: {

}
body: null
answer: {
series: Series[]
}
}
"POST /admin/events/series": {
path: {

}
query: {

}
body: {
name: string
slug?: string
description?: string
ordering?: number
}
answer: {
series: Series
}
}
"PUT /admin/events/series/{seriesId}": {
path: {
seriesId: number
}
query: {

}
body: {
name?: string
slug?: string
description?: string
ordering?: number
}
answer: {
series: Series
}
}
"DELETE /admin/events/series/{seriesId}": {
path: {
seriesId: number
}
query: {

}
body: null
answer: DeletedSeries
}
"GET /admin/events/runs": {
path: {

}
query: {
definitionId?: number
status?: ("scheduled" | "running" | "paused" | "completed" | "cancelled" | "failed" | "missed")
limit?: number
}
body: null
answer: {
runs: Run[]
}
}
"GET /admin/events/runs/{runId}": {
path: {
runId: number
}
query: {

}
body: null
answer: EventRunDetail
}
"GET /admin/events/runs/{runId}/log": {
path: {
runId: number
}
query: {
limit?: number
}
body: null
answer: EventRunLog
}
"POST /admin/events/{id}/runs": {
path: {
id: number
}
query: {

}
body: {
scope?: string
scheduledFor?: (string | null)
rehearsal?: boolean
params?: {

}
basedOn?: number
}
answer: CreatedEventRun
}
"POST /admin/events/runs/{runId}/pause": {
path: {
runId: number
}
query: {

}
body: {
reason?: (string | null)
basedOn?: string
}
answer: {
run: Run
}
}
"POST /admin/events/runs/{runId}/resume": {
path: {
runId: number
}
query: {

}
body: {
basedOn?: string
}
answer: {
run: Run
}
}
"POST /admin/events/runs/{runId}/advance": {
path: {
runId: number
}
query: {

}
body: {
reason?: (string | null)
basedOn?: string
}
answer: AdvancedEventRun
}
"POST /admin/events/runs/{runId}/cancel": {
path: {
runId: number
}
query: {

}
body: {
reason?: (string | null)
basedOn?: string
}
answer: CancelledEventRun
}
"POST /admin/events/runs/{runId}/steps/{stepId}/confirm": {
path: {
runId: number
stepId: number
}
query: {

}
body: {
note?: (string | null)
basedOn?: string
}
answer: {
step: Step
}
}
"POST /admin/events/runs/{runId}/steps/{stepId}/skip": {
path: {
runId: number
stepId: number
}
query: {

}
body: {
reason?: (string | null)
basedOn?: string
}
answer: {
step: Step
}
}
"POST /admin/events/runs/{runId}/steps/{stepId}/retry": {
path: {
runId: number
stepId: number
}
query: {

}
body: {
basedOn?: string
}
answer: RetriedEventStep
}
"GET /admin/events": {
path: {

}
query: {
state?: ("draft" | "ready" | "archived")
}
body: null
answer: {
events: Definition[]
}
}
"POST /admin/events": {
path: {

}
query: {

}
body: {
title: string
slug?: string
summary?: string
body?: string
imageUrl?: (string | null)
seriesId?: (number | null)
seriesOrder?: number
concurrencyKey?: (string | null)
graceSeconds?: number
timezone?: string
spec: {
listed?: boolean
scope?: string
schedule?: {
kind: ("manual" | "once" | "recurring")
at?: (string | null)
rrule?: (string | null)
until?: (string | null)
}
params?: {
name: string
type: ("string" | "text" | "integer" | "number" | "boolean" | "duration" | "datetime" | "enum" | "serial" | "location" | "server" | "stream")
required?: boolean
default?: ((string | null) | number | boolean | {
map: string
x: number
y: number
z?: number
})
values?: string[]
min?: number
max?: number
maxLength?: number
description?: string
}[]
phases: {
key: string
title: string
steps?: {
key: string
actionId: string
params?: {

}
offsetSeconds?: number
onFailure?: ("continue" | "pause" | "abort" | "park")
confirm?: boolean
maxAttempts?: number
budgetMs?: number
}[]
advance?: {
kind: ("steps" | "after" | "trigger" | "manual")
seconds?: (number | null)
trigger?: (string | null)
count?: (number | null)
where?: ({
var: string
op: ("eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "exists")
value: (string | number | boolean | (string | number | boolean)[])
}[] | null)
timeoutSeconds?: (number | null)
onTimeout?: ("advance" | "pause" | null)
}
}[]
}
}
answer: {
event: Definition
}
}
"GET /admin/events/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: {
event: Definition
}
}
"PUT /admin/events/{id}": {
path: {
id: number
}
query: {

}
body: {
title?: string
slug?: string
summary?: string
body?: string
imageUrl?: (string | null)
seriesId?: (number | null)
seriesOrder?: number
concurrencyKey?: (string | null)
graceSeconds?: number
timezone?: string
spec?: {
listed?: boolean
scope?: string
schedule?: {
kind: ("manual" | "once" | "recurring")
at?: (string | null)
rrule?: (string | null)
until?: (string | null)
}
params?: {
name: string
type: ("string" | "text" | "integer" | "number" | "boolean" | "duration" | "datetime" | "enum" | "serial" | "location" | "server" | "stream")
required?: boolean
default?: ((string | null) | number | boolean | {
map: string
x: number
y: number
z?: number
})
values?: string[]
min?: number
max?: number
maxLength?: number
description?: string
}[]
phases: {
key: string
title: string
steps?: {
key: string
actionId: string
params?: {

}
offsetSeconds?: number
onFailure?: ("continue" | "pause" | "abort" | "park")
confirm?: boolean
maxAttempts?: number
budgetMs?: number
}[]
advance?: {
kind: ("steps" | "after" | "trigger" | "manual")
seconds?: (number | null)
trigger?: (string | null)
count?: (number | null)
where?: ({
var: string
op: ("eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "exists")
value: (string | number | boolean | (string | number | boolean)[])
}[] | null)
timeoutSeconds?: (number | null)
onTimeout?: ("advance" | "pause" | null)
}
}[]
}
basedOn?: number
}
answer: {
event: Definition
}
}
"DELETE /admin/events/{id}": {
path: {
id: number
}
query: {

}
body: {
basedOn?: number
}
answer: {
event: Definition
}
}
"GET /admin/events/{id}/versions": {
path: {
id: number
}
query: {

}
body: null
answer: {
versions: Version[]
}
}
"POST /admin/events/{id}/publish": {
path: {
id: number
}
query: {

}
body: {
basedOn?: number
}
answer: PublishedEvent
}
"POST /admin/events/{id}/verify": {
path: {
id: number
}
query: {

}
body: {
target?: ("published" | "draft")
basedOn?: number
}
answer: VerifiedEvent
}
"GET /public/survival/servers/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: {
server: SurvivalServer
}
}
"GET /public/survival/servers/{id}/clans": {
path: {
id: number
}
query: {
limit?: number
offset?: number
}
body: null
answer: ClanBoard
}
"GET /public/survival/clans/{externalId}": {
path: {
externalId: string
}
query: {

}
body: null
answer: ClanPage
}
"GET /public/survival/servers/{id}/map": {
path: {
id: number
}
query: {

}
body: null
answer: SurvivalMap
}
"GET /public/survival/servers/{id}/map/image": {
path: {
id: number
}
query: {
hash?: string
}
body: null
answer: null
}
"GET /public/survival/servers/{id}/map/live": {
path: {
id: number
}
query: {

}
body: null
answer: SurvivalLiveMap
}
"POST /admin/survival/servers/{id}/map/fetch": {
path: {
id: number
}
query: {

}
body: null
answer: SurvivalMapFetched
}
"POST /admin/survival/servers/{id}/map/render": {
path: {
id: number
}
query: {

}
body: {
scale?: number
}
answer: SurvivalMapRender
}
"PUT /admin/survival/servers/{id}": {
path: {
id: number
}
query: {

}
body: {
name?: string
slug?: string
description?: (string | null)
region?: (string | null)
connect?: (string | null)
sort?: number
enabled?: boolean
listed?: boolean
acceptsLinks?: boolean
kind?: ("sidecar" | "plugin" | "webrcon")
baseUrl?: string
wsUrl?: string
token?: string
protocol?: 13
rconHost?: string
rconPort?: number
rconPassword?: string
rconTls?: boolean
showSeed?: boolean
ignoreStaff?: boolean
permissionSync?: boolean
wipeRule?: ("weekly" | "biweekly" | "monthly" | "cron" | "once" | null)
wipeDay?: (number | null)
wipeTime?: (string | null)
wipeTimezone?: (string | null)
wipeCron?: (string | null)
wipeAt?: (string | null)
password?: string
code?: string
}
answer: {
server: AdminSurvivalServer
}
}
"GET /admin/survival/visibility": {
path: {

}
query: {

}
body: null
answer: SurvivalVisibilityConfig
}
"PUT /admin/survival/visibility": {
path: {

}
query: {

}
body: {
presence?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
roster?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
profiles?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
liveMap?: ({
card?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
layers?: ({
world?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
events?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
players?: ("staff" | "admin" | null)
bases?: ("staff" | "admin" | null)
} | null)
monuments?: ({
label: string
shown: (boolean | null)
}[] | null)
basedOn?: string
}
answer: SurvivalVisibilityConfig
}
"GET /player/survival/permissions": {
path: {

}
query: {

}
body: null
answer: OwnPermissions
}
"GET /admin/survival/config/{serverId}/writes/{writeId}": {
path: {
serverId: number
writeId: string
}
query: {

}
body: null
answer: {
write: SurvivalConfigWrite
}
}
"GET /admin/survival/title-categories": {
path: {

}
query: {

}
body: null
answer: {
categories: SurvivalTitleCategory[]
}
}
"PUT /admin/survival/title-categories/{stat}": {
path: {
stat: string
}
query: {

}
body: {
title: string
basedOn?: string
}
answer: {
category: SurvivalTitleCategory
}
}
"PUT /admin/survival/servers/{id}/titles": {
path: {
id: number
}
query: {

}
body: {
mode: ("first" | "all" | "upTo")
max?: (number | null)
rules: {
stat: ("playersKilled" | "headshots" | "meleeKills" | "bladeKills" | "arrowKills" | "revolverKills" | "pvpKillDistance" | "pveKillDistance" | "npcKills" | "animalKills" | "helicopterKills" | "apcKills" | "explosivesThrown" | "rocketsFired" | "structuresBuilt" | "structuresRepaired" | "woodGathered" | "rocksGathered" | "plantsGathered" | "clothesCrafted" | "weaponsCrafted" | "playersHealed" | "questsCompleted" | "playtime")
topN: number
text?: (string | null)
color?: (string | null)
enabled?: boolean
}[]
basedOn?: string
}
answer: SurvivalTitles
}
"GET /admin/survival/voice": {
path: {

}
query: {

}
body: null
answer: {
voice: SurvivalVoice
}
}
"PUT /admin/survival/voice": {
path: {

}
query: {

}
body: {
name?: string
title?: {
text?: string
color?: string
size?: number
hidden?: boolean
}
username?: {
color?: string
size?: number
}
message?: {
color?: string
size?: number
}
format?: {
chat?: string
console?: string
}
iconSteamId?: (string | null)
prefix?: (string | null)
basedOn?: string
}
answer: {
voice: SurvivalVoice
}
}
"PUT /admin/survival/npcs/factions": {
path: {

}
query: {

}
body: {
pairs: {
a: string
b: string
stance: ("ally" | "neutral" | "hostile")
}[]
basedOn?: string
}
answer: NpcFactions
}
"PATCH /auth/me/account/email": {
path: {

}
query: {

}
body: {
email: (string | null)
password?: string
code?: string
}
answer: SafeUser
}
"GET /admin/account": {
path: {

}
query: {

}
body: null
answer: AccountStatus
}
"PATCH /admin/account/username": {
path: {

}
query: {

}
body: {
username: string
}
answer: AccountStatus
}
"PATCH /admin/account/password": {
path: {

}
query: {

}
body: {
currentPassword: string
newPassword: string
}
answer: Reissued
}
"POST /admin/account/totp/setup": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: TotpSetup
}
"POST /admin/account/totp/enable": {
path: {

}
query: {

}
body: {
code: string
}
answer: TotpEnabled
}
"POST /admin/account/totp/disable": {
path: {

}
query: {

}
body: {
code?: string
recoveryCode?: string
}
answer: TotpDisabled
}
"DELETE /admin/account/identities/{provider}": {
path: {
provider: string
}
query: {

}
body: {
password?: string
code?: string
}
answer: Unlinked
}
"GET /auth/me/export": {
path: {

}
query: {

}
body: null
answer: OwnData
}
"DELETE /auth/me/account": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: DeletedId
}
"DELETE /auth/me/sessions": {
path: {

}
query: {

}
body: null
answer: RevokedSessions
}
"DELETE /auth/me/trusted-devices": {
path: {

}
query: {

}
body: null
answer: DeletedCount
}
"GET /auth/me/recovery-codes": {
path: {

}
query: {

}
body: null
answer: RecoveryCodeCount
}
"POST /plugin/hello": {
path: {

}
query: {

}
body: {
protocol: number
game: ("uo" | "rust")
plugin: {
name: string
version: string
}
server: {
name: string
version: string
expansion?: (string | null)
}
bootId: string
epoch: string
oldest: number
head: number
capabilities: string[]
}
answer: PluginWelcome
}
"POST /plugin/events": {
path: {

}
query: {

}
body: {
epoch: string
bootId: string
gap?: {
from: number
to: number
reason?: string
}
events: {
seq: number
kind: string
t: number
payload: {

}
eventKey?: string
bootId?: (string | null)
saveId?: number
}[]
}
answer: PluginReceipt
}
"GET /plugin/commands": {
path: {

}
query: {
wait?: number
bootId: string
}
body: null
answer: {
commands: PluginCommand[]
}
}
"POST /plugin/commands/{id}": {
path: {
id: string
}
query: {
bootId: string
}
body: {
status: number
body: {

}
}
answer: null
}
"POST /admin/shardlink/plugin-key": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: NewPluginKey
}
"DELETE /admin/shardlink/plugin-key": {
path: {

}
query: {

}
body: {
password?: string
code?: string
}
answer: EndedPluginKeys
}
"POST /admin/survival/servers/{id}/plugin-key": {
path: {
id: number
}
query: {

}
body: {
password?: string
code?: string
}
answer: NewPluginKey
}
"DELETE /admin/survival/servers/{id}/plugin-key": {
path: {
id: number
}
query: {

}
body: {
password?: string
code?: string
}
answer: EndedPluginKeys
}
"POST /admin/survival/servers/{id}/report-key": {
path: {
id: number
}
query: {

}
body: {
password?: string
code?: string
}
answer: NewReportKey
}
"DELETE /admin/survival/servers/{id}/report-key": {
path: {
id: number
}
query: {

}
body: {
password?: string
code?: string
}
answer: DeletedId
}
"POST /plugin/reports/{key}": {
path: {
key: string
}
query: {

}
body: null
answer: ReceivedReport
}
"POST /auth/me/devices/{id}/test": {
path: {
id: number
}
query: {

}
body: null
answer: PushTest
}
"GET /admin/tokens": {
path: {

}
query: {

}
body: null
answer: {
tokens: ApiToken[]
}
}
"POST /admin/tokens": {
path: {

}
query: {

}
body: {
name: string
role: ("player" | "editor" | "moderator")
scopes: ("site:read" | "site:write" | "appeals:read" | "appeals:write" | "shard:read" | "shard:write" | "shard-staff:read" | "shard-staff:write" | "content:read" | "content:write" | "events:read" | "events:write" | "survival:read" | "survival:write" | "survival-staff:read" | "survival-staff:write")[]
expiresAt?: (string | null)
password?: string
code?: string
}
answer: MadeApiToken
}
"DELETE /admin/tokens/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: DeletedId
}
"GET /admin/posts": {
path: {

}
query: {
q?: string
limit?: number
offset?: number
status?: ("draft" | "scheduled" | "published")
}
body: null
answer: PostPage
}
"GET /admin/posts/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: Post
}
"GET /admin/wiki": {
path: {

}
query: {
q?: string
limit?: number
offset?: number
category?: string
tag?: string
status?: ("draft" | "published")
}
body: null
answer: WikiIndex
}
"POST /admin/wiki": {
path: {

}
query: {

}
body: {
title: string
slug?: string
body: string
category?: (string | null)
tags?: string[]
status?: ("draft" | "published")
note?: (string | null)
}
answer: WikiPage
}
"GET /admin/wiki/{slug}": {
path: {
slug: string
}
query: {

}
body: null
answer: WikiPage
}
"PUT /admin/wiki/{slug}": {
path: {
slug: string
}
query: {

}
body: {
title?: string
slug?: string
body?: string
category?: (string | null)
tags?: string[]
status?: ("draft" | "published")
note?: (string | null)
base_revision: number
}
answer: WikiPage
}
"DELETE /admin/wiki/{slug}": {
path: {
slug: string
}
query: {

}
body: {
base_revision?: number
}
answer: DeletedSlug
}
"GET /admin/wiki/{slug}/revisions": {
path: {
slug: string
}
query: {
limit?: number
offset?: number
}
body: null
answer: {
revisions: WikiRevision[]
}
}
"POST /admin/wiki/{slug}/revisions/{rev}/restore": {
path: {
slug: string
rev: number
}
query: {

}
body: {
base_revision?: number
}
answer: WikiPage
}
"GET /admin/pages": {
path: {

}
query: {

}
body: null
answer: {
pages: Page[]
}
}
"POST /admin/pages": {
path: {

}
query: {

}
body: {
title: string
slug?: string
body: string
nav_order?: (number | null)
audience?: ("anonymous" | "logged_in" | "staff")
status?: ("draft" | "published")
}
answer: Page
}
"GET /admin/pages/{slug}": {
path: {
slug: string
}
query: {

}
body: null
answer: Page
}
"PUT /admin/pages/{slug}": {
path: {
slug: string
}
query: {

}
body: {
title?: string
slug?: string
body?: string
nav_order?: (number | null)
audience?: ("anonymous" | "logged_in" | "staff")
status?: ("draft" | "published")
base_revision?: number
}
answer: Page
}
"DELETE /admin/pages/{slug}": {
path: {
slug: string
}
query: {

}
body: {
base_revision?: number
}
answer: DeletedSlug
}
"GET /public/search": {
path: {

}
query: {
q: string
type?: ("post" | "wiki" | "page")
limit?: number
offset?: number
}
body: null
answer: SearchPage
}
"POST /admin/content/preview": {
path: {

}
query: {

}
body: {
body: string
}
answer: Preview
}
"GET /public/events.ics": {
path: {

}
query: {

}
body: null
answer: null
}
"GET /player/market/searches": {
path: {

}
query: {

}
body: null
answer: {
searches: SavedSearch[]
}
}
"POST /player/market/searches": {
path: {

}
query: {

}
body: {
name: string
query: {
q?: string
minPrice?: number
maxPrice?: number
itemId?: number
map?: string
region?: string
}
enabled?: boolean
}
answer: {
search: SavedSearch
}
}
"PUT /player/market/searches/{id}": {
path: {
id: number
}
query: {

}
body: {
name?: string
query?: {
q?: string
minPrice?: number
maxPrice?: number
itemId?: number
map?: string
region?: string
}
enabled?: boolean
}
answer: {
search: SavedSearch
}
}
"DELETE /player/market/searches/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: DeletedId
}
"GET /public/assets/{key}": {
path: {
key: string
}
query: {

}
body: null
answer: null
}
"GET /public/assets/by-hash/{hash}": {
path: {
hash: string
}
query: {

}
body: null
answer: null
}
"GET /admin/settings": {
path: {

}
query: {

}
body: null
answer: {
settings: Settings
}
}
"GET /admin/users": {
path: {

}
query: {
q?: string
role?: ("admin" | "editor" | "moderator" | "player")
limit?: number
offset?: number
}
body: null
answer: UserPage
}
"POST /admin/users": {
path: {

}
query: {

}
body: {
username: string
email?: string
role: ("admin" | "editor" | "moderator" | "player")
password?: string
currentPassword?: string
code?: string
}
answer: User
}
"GET /admin/users/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: User
}
"PATCH /admin/users/{id}": {
path: {
id: number
}
query: {

}
body: {
role?: ("admin" | "editor" | "moderator" | "player")
disabled?: boolean
email?: (string | null)
password?: string
code?: string
}
answer: User
}
"DELETE /admin/users/{id}": {
path: {
id: number
}
query: {

}
body: {
password?: string
code?: string
}
answer: DeletedId
}
"POST /admin/users/{id}/sessions/revoke": {
path: {
id: number
}
query: {

}
body: null
answer: RevokedCount
}
"GET /admin/activity": {
path: {

}
query: {
actor?: number
action?: string
before?: number
limit?: number
}
body: null
answer: ActivityPage
}
"GET /admin/bans": {
path: {

}
query: {

}
body: null
answer: {
bans: Ban[]
}
}
"GET /admin/webhooks": {
path: {

}
query: {

}
body: null
answer: {
webhooks: Webhook[]
}
}
"POST /admin/webhooks": {
path: {

}
query: {

}
body: {
url: string
streams: ("news.post" | "server.status" | "idoc.warning" | "champ.start" | "governor.election" | "site.notice" | "event.started" | "event.completed" | "survival.server" | "survival.wipe" | "event.run")[]
format?: ("standard" | "discord")
enabled?: boolean
password?: string
code?: string
}
answer: MadeWebhook
}
"PUT /admin/webhooks/{id}": {
path: {
id: number
}
query: {

}
body: {
url?: string
streams?: ("news.post" | "server.status" | "idoc.warning" | "champ.start" | "governor.election" | "site.notice" | "event.started" | "event.completed" | "survival.server" | "survival.wipe" | "event.run")[]
enabled?: boolean
rotateSecret?: boolean
password?: string
code?: string
}
answer: SavedWebhook
}
"DELETE /admin/webhooks/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: DeletedId
}
"POST /admin/webhooks/{id}/test": {
path: {
id: number
}
query: {

}
body: null
answer: WebhookTest
}
"GET /admin/webhooks/{id}/deliveries": {
path: {
id: number
}
query: {
limit?: number
offset?: number
}
body: null
answer: WebhookDeliveryPage
}
"POST /admin/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
path: {
id: number
deliveryId: number
}
query: {

}
body: null
answer: {
delivery: WebhookDelivery
}
}
"POST /admin/webhooks/{id}/redeliver-failed": {
path: {
id: number
}
query: {

}
body: null
answer: QueuedDeliveries
}
"GET /admin/dashboard": {
path: {

}
query: {

}
body: null
answer: Dashboard
}
"GET /admin/appeals": {
path: {

}
query: {
state?: ("open" | "assigned" | "accepted" | "reduced" | "rejected" | "withdrawn")
assignee?: ("none" | number)
limit?: number
offset?: number
}
body: null
answer: StaffAppealPage
}
"GET /admin/appeals/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: StaffAppealAndMessages
}
"POST /admin/appeals/{id}/messages": {
path: {
id: number
}
query: {

}
body: {
body?: string
internal?: boolean
assign?: true
}
answer: WrittenByStaff
}
"POST /admin/appeals/{id}/decision": {
path: {
id: number
}
query: {

}
body: {
outcome: ("accepted" | "reduced" | "rejected")
note: string
unban?: boolean
basedOn?: number
}
answer: DecidedAppeal
}
"GET /admin/shardlink/rejected": {
path: {

}
query: {
limit?: number
}
body: null
answer: {
frames: RejectedFrame[]
}
}
"GET /admin/shardlink/towncrier": {
path: {

}
query: {

}
body: null
answer: {
entries: TownCrierEntry[]
}
}
"POST /admin/survival/announce": {
path: {

}
query: {

}
body: {
message: string
serverIds?: number[]
}
answer: SurvivalAnnounced
}
"POST /admin/survival/servers/{id}/kick": {
path: {
id: number
}
query: {

}
body: {
steamId: string
reason: string
}
answer: SurvivalPlayerCommand
}
"POST /admin/survival/servers/{id}/ban": {
path: {
id: number
}
query: {

}
body: {
steamId: string
reason: string
durationSec?: (number | null)
}
answer: SurvivalPlayerBanned
}
"POST /admin/survival/servers/{id}/unban": {
path: {
id: number
}
query: {

}
body: {
steamId: string
}
answer: SurvivalPlayerCommand
}
"GET /admin/survival/servers/{id}/bans": {
path: {
id: number
}
query: {

}
body: null
answer: {
bans: SurvivalBan[]
}
}
"GET /admin/survival/ledger": {
path: {

}
query: {
server?: number
what?: ("zone" | "npc" | "placement" | "grant" | "group" | "titles" | "voice" | "participation" | "kit" | "announce" | "map" | "config")
state?: ("pushed" | "confirmed" | "expired" | "withdrawn" | "failed" | "lost")
before?: number
limit?: number
}
body: null
answer: SurvivalLedgerPage
}
"GET /admin/jobs": {
path: {

}
query: {
state?: ("created" | "retry" | "active" | "completed" | "cancelled" | "failed")
queue?: ("shard.prune-events" | "shard.unlink-user" | "appeals.unban" | "ops.prune-plugins" | "ops.prune-processes" | "ops.prune-jobs" | "auth.prune-credentials" | "auth.forget-successors" | "auth.check-providers" | "site.prune-activity" | "content.announce-posts" | "content.render-texts" | "content.prune-words" | "auth.order-reset-mails" | "auth.send-mail" | "push.dispatch" | "push.send" | "push.sweep" | "market.match" | "webhook.dispatch" | "webhook.send" | "event.step" | "event.trigger" | "event.materialise" | "survival.hold-zones" | "survival.deliver-kits" | "survival.fetch-map" | "survival.push" | "survival.sweep-pushes" | "survival.titles" | "survival.expire-grants" | "survival.keep-standings" | "survival.prune-happenings" | "survival.settle-writes" | "imports.atlas" | "imports.clilocs" | "imports.assets" | "imports.item-art" | "imports.map" | "imports.map-render" | "imports.prune-runs")
limit?: number
}
body: null
answer: QueueReport
}
"GET /admin/jobs/{id}": {
path: {
id: string
}
query: {

}
body: null
answer: {
job: Job
}
}
"POST /admin/jobs/{id}/retry": {
path: {
id: string
}
query: {

}
body: null
answer: {
job: Job
}
}
"POST /admin/jobs/{id}/cancel": {
path: {
id: string
}
query: {

}
body: null
answer: {
job: Job
}
}
"POST /admin/jobs/queues/{queue}/pause": {
path: {
queue: string
}
query: {

}
body: null
answer: {
queue: QueueHealth
}
}
"POST /admin/jobs/queues/{queue}/resume": {
path: {
queue: string
}
query: {

}
body: null
answer: {
queue: QueueHealth
}
}
"POST /admin/jobs/queues/{queue}/retry-failed": {
path: {
queue: string
}
query: {

}
body: null
answer: RetriedJobs
}
"POST /admin/jobs/queues/{queue}/discard-failed": {
path: {
queue: string
}
query: {

}
body: null
answer: DiscardedJobs
}
"GET /admin/events/stream": {
path: {

}
query: {

}
body: null
answer: null
}
"GET /public/survival/servers": {
path: {

}
query: {

}
body: null
answer: {
servers: SurvivalServer[]
}
}
"GET /public/survival/servers/{id}/feed": {
path: {
id: number
}
query: {
limit?: number
before?: number
kinds?: string
}
body: null
answer: SurvivalFeed
}
"GET /public/survival/servers/{id}/leaderboard": {
path: {
id: number
}
query: {
stat?: ("playersKilled" | "headshots" | "meleeKills" | "bladeKills" | "arrowKills" | "revolverKills" | "pvpKillDistance" | "pveKillDistance" | "npcKills" | "animalKills" | "helicopterKills" | "apcKills" | "explosivesThrown" | "rocketsFired" | "structuresBuilt" | "structuresRepaired" | "woodGathered" | "rocksGathered" | "plantsGathered" | "clothesCrafted" | "weaponsCrafted" | "playersHealed" | "questsCompleted" | "playtime")
wipe?: (("current" | "all") | number)
limit?: number
offset?: number
}
body: null
answer: SurvivalLeaderboard
}
"GET /public/survival/servers/{id}/online": {
path: {
id: number
}
query: {

}
body: null
answer: SurvivalPresence
}
"GET /public/survival/servers/{id}/wipes": {
path: {
id: number
}
query: {
limit?: number
before?: number
}
body: null
answer: SurvivalWipes
}
"GET /public/survival/servers/{id}/stream": {
path: {
id: number
}
query: {
lastEventId?: string
}
body: null
answer: null
}
"GET /public/survival/profiles": {
path: {

}
query: {
server?: number
wipe?: (number | ("current" | "all"))
}
body: null
answer: {
profiles: NpcProfileRank[]
}
}
"GET /public/survival/profiles/{key}/ranking": {
path: {
key: string
}
query: {
server?: number
wipe?: (number | ("current" | "all"))
limit?: number
offset?: number
}
body: null
answer: NpcRanking
}
"GET /public/survival/players/{steamId}/profiles": {
path: {
steamId: string
}
query: {
server?: number
wipe?: (number | ("current" | "all"))
}
body: null
answer: PlayerNpcKills
}
"GET /player/survival/profiles": {
path: {

}
query: {
server?: number
wipe?: (number | ("current" | "all"))
}
body: null
answer: OwnNpcKills
}
"GET /player/survival/link": {
path: {

}
query: {

}
body: null
answer: {
links: SteamLink[]
}
}
"POST /player/survival/link": {
path: {

}
query: {

}
body: {
code: string
}
answer: SteamLinked
}
"DELETE /player/survival/link/{steamId}": {
path: {
steamId: string
}
query: {

}
body: null
answer: SteamUnlinked
}
"GET /public/survival/players/{steamId}": {
path: {
steamId: string
}
query: {
server?: number
wipe?: (number | ("current" | "all"))
}
body: null
answer: SurvivalPlayer
}
"GET /player/survival/stats": {
path: {

}
query: {
server?: number
wipe?: (number | ("current" | "all"))
}
body: null
answer: OwnSurvivalStats
}
"GET /admin/survival/servers": {
path: {

}
query: {

}
body: null
answer: {
servers: AdminSurvivalServer[]
}
}
"POST /admin/survival/servers": {
path: {

}
query: {

}
body: {
name: string
slug?: string
description?: (string | null)
region?: (string | null)
connect?: (string | null)
sort?: number
enabled?: boolean
listed?: boolean
acceptsLinks?: boolean
kind?: ("sidecar" | "plugin" | "webrcon")
baseUrl?: string
wsUrl?: string
token?: string
protocol?: 13
rconHost?: string
rconPort?: number
rconPassword?: string
rconTls?: boolean
showSeed?: boolean
ignoreStaff?: boolean
permissionSync?: boolean
wipeRule?: ("weekly" | "biweekly" | "monthly" | "cron" | "once" | null)
wipeDay?: (number | null)
wipeTime?: (string | null)
wipeTimezone?: (string | null)
wipeCron?: (string | null)
wipeAt?: (string | null)
password?: string
code?: string
}
answer: {
server: AdminSurvivalServer
}
}
"GET /admin/survival/servers/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: {
server: AdminSurvivalServer
}
}
"DELETE /admin/survival/servers/{id}": {
path: {
id: number
}
query: {
purge?: boolean
}
body: null
answer: DeletedId
}
"POST /admin/survival/servers/{id}/test": {
path: {
id: number
}
query: {

}
body: null
answer: SurvivalLinkTest
}
"GET /admin/survival/servers/{id}/events": {
path: {
id: number
}
query: {
kind?: string
limit?: number
before?: number
}
body: null
answer: SurvivalServerEvents
}
"PUT /admin/survival/servers/{id}/events/{eventId}": {
path: {
id: number
eventId: number
}
query: {

}
body: {
hidden: boolean
}
answer: {
event: SurvivalStoredEvent
}
}
"GET /admin/survival/permissions": {
path: {

}
query: {

}
body: null
answer: PermissionsOverview
}
"GET /admin/survival/permissions/catalog": {
path: {

}
query: {
server?: number
}
body: null
answer: PermissionCatalog
}
"POST /admin/survival/permissions/groups": {
path: {

}
query: {

}
body: {
name: string
title?: string
rank?: number
parent?: (string | null)
permissions?: string[]
scope?: {
all: boolean
serverIds?: number[]
}
}
answer: {
group: PermissionGroup
}
}
"PUT /admin/survival/permissions/groups/{id}": {
path: {
id: number
}
query: {

}
body: {
name?: string
title?: string
rank?: number
parent?: (string | null)
permissions?: string[]
scope?: {
all: boolean
serverIds?: number[]
}
basedOn?: string
}
answer: {
group: PermissionGroup
}
}
"DELETE /admin/survival/permissions/groups/{id}": {
path: {
id: number
}
query: {

}
body: {
basedOn?: string
}
answer: PermissionGroupDeleted
}
"GET /admin/survival/permissions/users/{steamId}": {
path: {
steamId: string
}
query: {

}
body: null
answer: PermissionsExplained
}
"POST /admin/survival/permissions/sync": {
path: {

}
query: {

}
body: {
serverIds?: number[]
dryRun?: boolean
}
answer: PermissionsSynced
}
"GET /admin/survival/permissions/inventory/{serverId}": {
path: {
serverId: number
}
query: {

}
body: null
answer: PermissionInventory
}
"GET /admin/survival/permissions/grants": {
path: {

}
query: {
steamId?: string
userId?: number
group?: string
value?: string
server?: number
state?: ("active" | "expiring" | "expired" | "revoked")
limit?: number
offset?: number
}
body: null
answer: PermissionGrantPage
}
"POST /admin/survival/permissions/grants": {
path: {

}
query: {

}
body: {
kind: ("permission" | "membership")
steamId?: string
userId?: number
value: string
scope?: {
all: boolean
serverIds?: number[]
}
expiresAt?: (string | null)
reason?: (string | null)
}
answer: {
grant: PermissionGrant
}
}
"PUT /admin/survival/permissions/grants/{id}": {
path: {
id: number
}
query: {

}
body: {
scope?: {
all: boolean
serverIds?: number[]
}
expiresAt?: (string | null)
reason?: (string | null)
basedOn?: string
}
answer: {
grant: PermissionGrant
}
}
"DELETE /admin/survival/permissions/grants/{id}": {
path: {
id: number
}
query: {

}
body: {
basedOn?: string
}
answer: DeletedId
}
"GET /admin/survival/config/{serverId}": {
path: {
serverId: number
}
query: {

}
body: null
answer: SurvivalConfigFiles
}
"GET /admin/survival/config/{serverId}/files/{plugin}": {
path: {
serverId: number
plugin: string
}
query: {

}
body: null
answer: {
document: SurvivalConfigDocument
}
}
"PUT /admin/survival/config/{serverId}/files/{plugin}": {
path: {
serverId: number
plugin: string
}
query: {

}
body: {
text: string
baseHash: string
reload?: boolean
}
answer: SurvivalConfigAccepted
}
"GET /admin/survival/config/{serverId}/writes": {
path: {
serverId: number
}
query: {
plugin?: string
before?: number
limit?: number
}
body: null
answer: SurvivalConfigWrites
}
"POST /admin/survival/config/{serverId}/writes/{writeId}/rollback": {
path: {
serverId: number
writeId: string
}
query: {

}
body: null
answer: SurvivalConfigAccepted
}
"GET /admin/survival/zones": {
path: {

}
query: {

}
body: null
answer: SurvivalZones
}
"POST /admin/survival/zones/presets": {
path: {

}
query: {

}
body: {
key: string
name: string
shape: ({
kind: "sphere"
radius: number
} | {
kind: "box"
x: number
y: number
z: number
})
rotation?: number
flags?: ("Eject" | "EjectSleepers" | "Kill" | "KillSleepers" | "KeepVehiclesIn" | "KeepVehiclesOut" | "PvpGod" | "PveGod" | "SleepGod" | "NoPve" | "NoFallDamage" | "NoSuicide" | "NoWounded" | "NoBleed" | "NoCorpse" | "NoPoison" | "NoStarvation" | "NoThirst" | "NoRadiation" | "NoDrown" | "UnDestr" | "NoBuildingDamage" | "NoDecay" | "NoBuild" | "NoStability" | "NoUpgrade" | "NoSprays" | "NoDeploy" | "NoCup" | "NoSignUpdates" | "NoDoorAccess" | "LootSelf" | "NoPlayerLoot" | "NoNPCLoot" | "NoBoxLoot" | "NoPickup" | "NoCollect" | "NoDrop" | "NoLootSpawns" | "NoEntityPickup" | "NoGather" | "NoStash" | "NoHeliTargeting" | "NoTurretTargeting" | "NoAPCTargeting" | "NoNPCTargeting" | "InfiniteTrapAmmo" | "NpcFreeze" | "NoNPCSpawns" | "NoVehicleMounting" | "NoVehicleDismounting" | "NoChat" | "NoVoice" | "NoKits" | "NoTrade" | "NoShop" | "NoTp" | "NoRemove" | "NoVending" | "NoCraft" | "AutoLights" | "AlwaysLights" | "PoweredSwitches" | "NoOvenToggle" | "Custom1" | "Custom2" | "Custom3" | "Custom4" | "Custom5")[]
radiation?: number
comfort?: number
temperature?: number
safeZone?: boolean
enterMessage?: (string | null)
leaveMessage?: (string | null)
permission?: (string | null)
ejectSpawns?: (string | null)
ruleset?: (string | null)
dome?: ({
enabled: boolean
darkness: number
} | null)
maxDurationSec?: number
color?: (string | null)
servers?: ("all" | number[])
confirmDestructive?: boolean
}
answer: {
preset: ZonePreset
}
}
"PUT /admin/survival/zones/presets/{id}": {
path: {
id: number
}
query: {

}
body: {
key?: string
name?: string
shape?: ({
kind: "sphere"
radius: number
} | {
kind: "box"
x: number
y: number
z: number
})
rotation?: number
flags?: ("Eject" | "EjectSleepers" | "Kill" | "KillSleepers" | "KeepVehiclesIn" | "KeepVehiclesOut" | "PvpGod" | "PveGod" | "SleepGod" | "NoPve" | "NoFallDamage" | "NoSuicide" | "NoWounded" | "NoBleed" | "NoCorpse" | "NoPoison" | "NoStarvation" | "NoThirst" | "NoRadiation" | "NoDrown" | "UnDestr" | "NoBuildingDamage" | "NoDecay" | "NoBuild" | "NoStability" | "NoUpgrade" | "NoSprays" | "NoDeploy" | "NoCup" | "NoSignUpdates" | "NoDoorAccess" | "LootSelf" | "NoPlayerLoot" | "NoNPCLoot" | "NoBoxLoot" | "NoPickup" | "NoCollect" | "NoDrop" | "NoLootSpawns" | "NoEntityPickup" | "NoGather" | "NoStash" | "NoHeliTargeting" | "NoTurretTargeting" | "NoAPCTargeting" | "NoNPCTargeting" | "InfiniteTrapAmmo" | "NpcFreeze" | "NoNPCSpawns" | "NoVehicleMounting" | "NoVehicleDismounting" | "NoChat" | "NoVoice" | "NoKits" | "NoTrade" | "NoShop" | "NoTp" | "NoRemove" | "NoVending" | "NoCraft" | "AutoLights" | "AlwaysLights" | "PoweredSwitches" | "NoOvenToggle" | "Custom1" | "Custom2" | "Custom3" | "Custom4" | "Custom5")[]
radiation?: number
comfort?: number
temperature?: number
safeZone?: boolean
enterMessage?: (string | null)
leaveMessage?: (string | null)
permission?: (string | null)
ejectSpawns?: (string | null)
ruleset?: (string | null)
dome?: ({
enabled: boolean
darkness: number
} | null)
maxDurationSec?: number
color?: (string | null)
servers?: ("all" | number[])
confirmDestructive?: boolean
basedOn?: string
}
answer: {
preset: ZonePreset
}
}
"DELETE /admin/survival/zones/presets/{id}": {
path: {
id: number
}
query: {

}
body: {
basedOn?: string
}
answer: DeletedId
}
"POST /admin/survival/zones/open": {
path: {

}
query: {

}
body: {
serverId: number
presetKey: string
at: ({
x: number
y?: number
z: number
} | string)
durationSec: number
basedOn?: string
}
answer: {
lease: ZoneLease
}
}
"POST /admin/survival/zones/leases/{leaseId}/close": {
path: {
leaseId: string
}
query: {

}
body: null
answer: {
lease: ZoneLease
}
}
"GET /admin/survival/servers/{id}/titles": {
path: {
id: number
}
query: {

}
body: null
answer: SurvivalTitlesHeld
}
"GET /admin/survival/npcs": {
path: {

}
query: {

}
body: null
answer: NpcOverview
}
"POST /admin/survival/npcs": {
path: {

}
query: {

}
body: {
key: string
displayName: string
names?: string[]
faction?: (string | null)
health?: number
kit?: (string | null)
kits?: string[]
wearItems?: {
shortName: string
skinId?: string
}[]
beltItems?: {
shortName: string
amount?: number
skinId?: string
mods?: string[]
ammo?: (string | null)
}[]
roamRange?: number
chaseRange?: number
senseRange?: number
listenRange?: number
memorySec?: number
attackRangeMultiplier?: number
aimConeScale?: number
damageScale?: number
turretDamageScale?: number
headScale?: number
bodyScale?: number
legScale?: number
meleeScale?: number
checkVisionCone?: boolean
visionCone?: number
speed?: number
stationary?: boolean
canSwim?: boolean
canSleep?: boolean
sleepDistance?: number
runFromWater?: boolean
behaviour?: {
hostileOnly?: boolean
ignoreSleepers?: boolean
ignoreWounded?: boolean
ignoreSafeZone?: boolean
peacekeeper?: boolean
respectSafeZones?: boolean
targetAnimals?: boolean
instantHeadshotDeath?: boolean
}
radio?: boolean
gender?: ("random" | "female" | "male")
skinTone?: ("random" | "light" | "medium" | "tan" | "dark")
death?: {
dropWeaponPct?: number
wipeBeltPct?: number
wipeClothingPct?: number
rustLootPct?: number
lootSource?: (string | null)
lockedCratePct?: number
corpseMin?: number
}
boss?: boolean
healthSteps?: number[]
ranked?: boolean
}
answer: {
profile: NpcProfile
}
}
"GET /admin/survival/npcs/profiles/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: NpcProfileWithRevisions
}
"PUT /admin/survival/npcs/profiles/{id}": {
path: {
id: number
}
query: {

}
body: {
key?: string
displayName?: string
names?: string[]
faction?: (string | null)
health?: number
kit?: (string | null)
kits?: string[]
wearItems?: {
shortName: string
skinId?: string
}[]
beltItems?: {
shortName: string
amount?: number
skinId?: string
mods?: string[]
ammo?: (string | null)
}[]
roamRange?: number
chaseRange?: number
senseRange?: number
listenRange?: number
memorySec?: number
attackRangeMultiplier?: number
aimConeScale?: number
damageScale?: number
turretDamageScale?: number
headScale?: number
bodyScale?: number
legScale?: number
meleeScale?: number
checkVisionCone?: boolean
visionCone?: number
speed?: number
stationary?: boolean
canSwim?: boolean
canSleep?: boolean
sleepDistance?: number
runFromWater?: boolean
behaviour?: {
hostileOnly?: boolean
ignoreSleepers?: boolean
ignoreWounded?: boolean
ignoreSafeZone?: boolean
peacekeeper?: boolean
respectSafeZones?: boolean
targetAnimals?: boolean
instantHeadshotDeath?: boolean
}
radio?: boolean
gender?: ("random" | "female" | "male")
skinTone?: ("random" | "light" | "medium" | "tan" | "dark")
death?: {
dropWeaponPct?: number
wipeBeltPct?: number
wipeClothingPct?: number
rustLootPct?: number
lootSource?: (string | null)
lockedCratePct?: number
corpseMin?: number
}
boss?: boolean
healthSteps?: number[]
ranked?: boolean
revision: number
}
answer: {
profile: NpcProfile
}
}
"DELETE /admin/survival/npcs/profiles/{id}": {
path: {
id: number
}
query: {
force?: boolean
}
body: {
basedOn?: number
}
answer: DeletedId
}
"POST /admin/survival/npcs/profiles/{id}/restore": {
path: {
id: number
}
query: {

}
body: {
revision: number
basedOn?: number
}
answer: {
profile: NpcProfile
}
}
"POST /admin/survival/npcs/push": {
path: {

}
query: {

}
body: {
serverIds?: number[]
profileIds?: number[]
}
answer: NpcsPushed
}
"GET /admin/survival/npcs/factions": {
path: {

}
query: {

}
body: null
answer: NpcFactions
}
"GET /admin/survival/npcs/servers/{serverId}/placements": {
path: {
serverId: number
}
query: {

}
body: null
answer: NpcPlacements
}
"POST /admin/survival/npcs/servers/{serverId}/placements": {
path: {
serverId: number
}
query: {

}
body: {
name: string
profileKey: string
anchor?: ("world" | "monument")
monument?: (string | null)
x?: number
y?: number
z?: number
rotation?: number
count?: number
radius?: number
respawnSec?: (number | null)
enabled?: boolean
onWipe?: ("keep" | "drop")
}
answer: {
placement: NpcPlacement
}
}
"PUT /admin/survival/npcs/servers/{serverId}/placements/{placementId}": {
path: {
serverId: number
placementId: number
}
query: {

}
body: {
name?: string
profileKey?: string
anchor?: ("world" | "monument")
monument?: (string | null)
x?: number
y?: number
z?: number
rotation?: number
count?: number
radius?: number
respawnSec?: (number | null)
enabled?: boolean
onWipe?: ("keep" | "drop")
basedOn?: string
}
answer: {
placement: NpcPlacement
}
}
"DELETE /admin/survival/npcs/servers/{serverId}/placements/{placementId}": {
path: {
serverId: number
placementId: number
}
query: {

}
body: {
basedOn?: string
}
answer: DeletedId
}
"POST /admin/survival/npcs/servers/{serverId}/placements/{placementId}/rename": {
path: {
serverId: number
placementId: number
}
query: {

}
body: {
name: string
basedOn?: string
}
answer: {
placement: NpcPlacement
}
}
"POST /admin/survival/npcs/servers/{serverId}/placements/{placementId}/respawn": {
path: {
serverId: number
placementId: number
}
query: {

}
body: {
basedOn?: string
}
answer: NpcsRespawned
}
"GET /player/survival/kits": {
path: {

}
query: {

}
body: null
answer: {
kits: OwnKit[]
}
}
"GET /admin/survival/reports": {
path: {

}
query: {
server?: number
state?: ("open" | "seen" | "closed")
target?: string
reporter?: string
before?: number
limit?: number
}
body: null
answer: SurvivalReportPage
}
"GET /admin/survival/reports/{id}": {
path: {
id: number
}
query: {

}
body: null
answer: {
report: SurvivalReport
}
}
"POST /admin/survival/reports/{id}/seen": {
path: {
id: number
}
query: {

}
body: null
answer: {
report: SurvivalReport
}
}
"POST /admin/survival/reports/{id}/close": {
path: {
id: number
}
query: {

}
body: {
note?: string
}
answer: {
report: SurvivalReport
}
}
"POST /admin/survival/reports/{id}/reopen": {
path: {
id: number
}
query: {

}
body: null
answer: {
report: SurvivalReport
}
}
"GET /admin/users/{id}/survival/reports": {
path: {
id: number
}
query: {

}
body: null
answer: ReportsAgainst
}
}
export interface SignedIn {
user: SafeUser
}
export interface SafeUser {
id: number
username: string
role: Role
totp_enabled: boolean
email: (string | null)
}
export interface Challenge {
totpRequired: true
challenge: string
expiresIn: string
}
export interface Ok {
ok: true
}
export interface MobileTokenResponse {
accessToken: string
refreshToken: string
expiresIn: string
tokenType: "Bearer"
user: SafeUser
}
export interface AccountStatus {
id: number
username: string
role: Role
totp_enabled: boolean
}
export interface TotpSetup {
otpauthUrl: string
secret: string
qr: string
}
export interface TotpEnabled {
totp_enabled: true
recoveryCodes: string[]
}
export interface TotpState {
totp_enabled: false
}
export interface LinkedIdentity {
provider: string
name: string
linked_at: string
}
export interface Unlinked {
unlinked: boolean
}
export interface DeviceSession {
id: number
device_name: (string | null)
created_at: string
last_used_at: string
current: boolean
}
export interface Deleted {
deleted: boolean
}
export interface TrustedDevice {
id: number
label: string
created_at: string
last_used_at: string
expires_at: string
current: boolean
}
export interface RecoveryCodes {
codes: string[]
}
export interface PushDevice {
id: number
device_name: (string | null)
origin: string
created_at: string
last_success_at: (string | null)
last_error: ("gone" | "refused" | "limited" | "unavailable" | "timeout" | "unreachable" | "address" | "certificate" | "redirect" | "too_large" | null)
failing: boolean
}
export interface NotificationStreams {
streams: {
id: string
label: string
kind: ("public" | "personal" | "staff")
}[]
vapidPublicKey: (string | null)
}
export interface NotificationSubscriptions {
streams: string[]
}
export interface Message {
message: string
}
export interface ResetLink {
valid: true
expiresAt: string
}
export interface OpenInvite {
email: (string | null)
role: Role
expiresAt: string
}
export interface MadeInvite {
id: number
email: (string | null)
role: Role
expiresAt: string
acceptUrl?: string
}
export interface Invite {
id: number
email: (string | null)
role: Role
createdAt: string
createdBy: (number | null)
expiresAt: string
acceptedAt: (string | null)
revokedAt: (string | null)
}
export interface DeletedId {
id: number
}
export interface PostPage {
posts: Post[]
total: number
limit: number
offset: number
}
export interface Post {
id: number
slug: string
title: string
excerpt: string
image_url: (string | null)
tags: string[]
status: ("draft" | "scheduled" | "published")
pinned: boolean
author_id: number
author: Author
published_at: (string | null)
created_at: string
updated_at: string
revision: number
body_html?: string
body?: string
removed?: RemovedParts
}
export interface RemovedPart {
kind: ("link" | "image" | "table_cell" | "definition" | "footnote" | "code_info" | "character")
line: number
text: string
address: (string | null)
rule: ("link_scheme" | "link_malformed" | "link_user" | "link_host" | "image_source" | "table_width" | "definition_unused" | "definition_repeated" | "footnote_unused" | "footnote_repeated" | "code_info" | "control_character")
message: string
}
export interface WikiIndex {
pages: WikiPage[]
total: number
limit: number
offset: number
}
export interface WikiPage {
slug: string
title: string
category: WikiCategory
tags: string[]
status: ("published" | "draft")
revision: number
updated_at: string
updated_by: Author
toc?: TocEntry[]
body_html?: string
body?: string
removed?: RemovedParts
redirect_from?: string[]
redirected_from?: (string | null)
}
export interface TocEntry {
level: number
text: string
anchor: string
}
export interface CountedCategory {
slug: string
name: string
count: number
}
export interface CountedTag {
tag: string
count: number
}
export interface NavigationEntry {
slug: string
title: string
nav_order: number
}
export interface Page {
slug: string
title: string
nav_order: (number | null)
audience: PageAudience
status: ("published" | "draft")
revision: number
updated_at: string
body_html?: string
body?: string
removed?: RemovedParts
}
export interface Provider {
id: string
name: string
icon: (string | null)
loginUrl: string
priority: number
}
export interface ProviderConfig {
id: string
name: string
icon: (string | null)
loginUrl: string
priority: number
enabled: boolean
builtin: boolean
kind: ("oidc" | "oauth2")
issuer: string
clientId: (string | null)
hasSecret: boolean
scopes: string[]
tokenAuthMethod: ("client_secret_basic" | "client_secret_post" | null)
idTokenAlgorithm: ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519" | "HS256" | "HS384" | "HS512" | null)
callbackUrl: string
health: ProviderHealth
}
export interface ProviderHealth {
status: ("ok" | "unreachable" | "wrong_issuer" | "bad_secret" | "unsupported" | "misconfigured" | "disabled")
checkedAt: (string | null)
detail: (string | null)
}
export interface DeletedProvider {
id: string
}
export interface RedirectTo {
redirectTo: string
}
export interface PublicHouse {
serial: string
stage: DecayStage
map: FacetName
x: Coordinate
y: Coordinate
z: Coordinate
region?: RegionName
name?: (string | null)
isIdoc: boolean
updatedAt: string
}
export interface ShardHouse {
serial: string
stage: DecayStage
map: FacetName
x: Coordinate
y: Coordinate
z: Coordinate
region: RegionName
name: (string | null)
type: (string | null)
ownerSerial: (string | null)
ownerAcct: (string | null)
price: (number | null)
coOwners: ((number | null) | string[])
public: (boolean | null)
decayType: (string | null)
builtOn: (string | null)
lastRefreshed: (string | null)
lastTraded: (string | null)
nextStageAt: (string | null)
isIdoc: boolean
updatedAt: string
}
export interface MarketPage {
listings: MarketListing[]
total: number
limit: number
offset: number
vendors: number
staleAt: (string | null)
}
export interface MarketListing {
serial: string
itemId: number
hue: number
amount: number
price: number
name: (string | null)
cliloc: (number | null)
displayName: (string | null)
child: boolean
vendor: ListingVendor
}
export interface ListingVendor {
serial: string
shopName: (string | null)
ownerSerial?: (string | null)
ownerName?: (string | null)
location?: MarketLocation
updatedAt: string
}
export interface MarketMeta {
vendors: number
items: number
staleAt: (string | null)
freshAt: (string | null)
maps?: string[]
regions?: string[]
}
export interface MarketVendor {
serial: string
shopName: (string | null)
ownerSerial?: (string | null)
ownerName?: (string | null)
location?: MarketLocation
updatedAt: string
count: number
total: number
truncated: boolean
items: MarketListing[]
}
export interface PointsBoard {
system: string
nameString: (string | null)
nameNumber: (number | null)
maxPoints: (number | null)
players: (number | null)
showOnGump: boolean
top: PointsRank[]
t: (number | null)
updatedAt: string
}
export interface PointsRank {
rank: number
serial: string
name?: (string | null)
points: number
}
export interface ShardStatus {
enabled: boolean
status: LinkStatus
pluginConnected: boolean
lastEventAt: (string | null)
onlineCount: number
economy: EconomyPoint
}
export interface OnlinePlayer {
serial: string
name: string
map?: FacetName
x?: Coordinate
y?: Coordinate
z?: Coordinate
}
export interface Presence {
count: number
facets: {
[k: string]: number | undefined
}
regions?: {
[k: string]: number | undefined
}
}
export interface ShardFeatures {
level: Rung
features: Feature[]
}
export interface PublicStatus {
site_mode: SiteMode
status_message: (string | null)
changed_at: (string | null)
version: string
capabilities: string[]
shard: {
enabled: boolean
status: LinkStatus
}
survival: {
servers: number
online: number
}
time: string
}
export interface PublicSettings {
siteName: string
registration: boolean
gameAccountSignup: boolean
mobileAppLinks: boolean
vapidPublicKey: (string | null)
limits: SiteLimits
}
export interface SiteLimits {
username: LengthRange
password: LengthRange
trustedDevices: number
}
export interface LengthRange {
min: number
max: number
}
export interface Settings {
registration_enabled: boolean
game_account_signup: boolean
mobile_app_links_enabled: boolean
staff_second_factor_required: boolean
appeals_enabled: boolean
}
export interface ChangedSiteMode {
site_mode: SiteMode
changed_at: string
changed_by: number
}
export interface LiftedBan {
ip: string
removed: boolean
}
export interface ChatBotConfig {
enabled: boolean
guildId: (string | null)
announceChannelId: (string | null)
hasToken: boolean
updatedAt: (string | null)
updatedBy: (number | null)
}
export interface Dashboard {
posts: {
published: number
draft: number
scheduled: number
latest: {
id: number
slug: string
title: string
publishedAt: string
}[]
}
users: {
total: number
active7d: number
new7d: number
byRole: {
admin: number
editor: number
moderator: number
player: number
}
}
appeals: {
open: number
}
reports: {
open: number
seen: number
}
pages: {
open: (number | null)
}
shard: ShardStatus
jobs: {
failed: number
oldestSeconds: (number | null)
}
}
export interface Appeal {
id: number
game: "shard"
account: string
punishment: Punishment
reason: string
state: AppealState
assignee: {

}
created_at: string
updated_at: string
decided_at: (string | null)
decision_note: (string | null)
messages_count: number
}
export interface Punishment {
id: number
kind: "ban"
reason: string
issued_at: string
expires_at: (string | null)
}
export interface OwnAppeal {
appeal: Appeal
messages: AppealMessage[]
}
export interface AppealMessage {
id: number
author: ("player" | "staff")
body: string
created_at: string
}
export interface SaidByOwner {
message: (AppealMessage | {

})
appeal: Appeal
}
export interface ShardlinkConfig {
kind: ShardLinkKind
baseUrl: string
wsUrl: string
hasToken: boolean
statusHost: string
statusPort: number
hasKey: boolean
keyCreatedAt: (string | null)
keyLastUsedAt: (string | null)
plugin: LinkedPlugin
protocol: number
enabled: boolean
status: LinkStatus
reason: (string | null)
health: (SidecarHealth | SidecarSilence | {

})
stats: {
received?: number
stored?: number
duplicates?: number
rejected?: number
gaps?: number
cursor?: ({
epoch?: string
seq?: number
} | null)
lastAckAt?: (string | null)
owner?: (string | null)
}
}
export interface SidecarHealth {
protocol: number
pluginConnected: boolean
bootId: (string | null)
uptimeSec: number
capabilities: string[]
}
export interface SidecarSilence {
error: string
}
export interface SignupModes {
mode: SignupModeName
modes: SignupModeName[]
}
export interface SignupMode {
mode: SignupModeName
}
export interface TownCrierRequest {
lines: string[]
durationSec: number
}
export interface TownCrierEntry {
id: string
lines: string[]
expiresAt: (string | null)
}
export interface TownCrierRemoved {
id: string
removed: boolean
}
export interface ShardLinkRequest {
code: string
}
export interface ShardLink {
account: string
linkedAt: string
}
export interface GameAccount {
account: string
linked: boolean
}
export interface CharacterSheet {
serial: string
name: string
account: string
title: (string | null)
race: (string | null)
female: boolean
stats: {
[k: string]: number | undefined
}
resists: {
[k: string]: number | undefined
}
skills: {
name: string
value: number
cap: number
lock: string
}[]
fame: number
karma: number
kills: number
guild: (string | null)
virtues: {
[k: string]: number | undefined
}
equipment: {
layer: string
itemId: number
hue: number
name: (string | null)
cliloc: (number | null)
}[]
}
export interface Roster {
account: string
characters: {
serial: string
name: string
race: (string | null)
female: boolean
guild: (string | null)
map: (string | null)
online: boolean
lastLogin: (string | null)
}[]
}
export interface OwnVendors {
account: string
vendors: {
serial: string
shopName: (string | null)
location: ({
map?: string
x?: number
y?: number
z?: number
region?: (string | null)
house?: (string | null)
} | null)
gold: number
chargePerDay: (number | null)
items: (number | {
[k: string]: unknown | undefined
}[])
}[]
}
export interface VendorSale {
t: number
itemType: string
amount: number
price: number
commission: (number | null)
ownerAcct: string
}
export interface Kicked {
ok: boolean
account?: string
kicked?: number
}
export interface Banned {
ok: boolean
account?: string
until?: (string | null)
}
export interface Unbanned {
ok: boolean
account?: string
wasBanned?: boolean
}
export interface BroadcastDone {
ok: boolean
recipients?: number
}
export interface HelpPage {
id: string
type: string
sender: {
serial: string
name: string
}
message: string
location: Place
sentAt: (string | null)
handler: Someone
responses: {
by: Someone
message: string
at: (string | null)
}[]
}
export interface SomeCharacter {
serial?: (string | null)
name?: (string | null)
}
export interface PageDone {
ok: boolean
id: string
}
export interface StoredAdminAuditEvent {
id: number
kind: "admin.audit"
t: number
bootId: (string | null)
payload: {
actor: {
serial?: (string | null)
name?: (string | null)
acct?: (string | null)
access?: (string | null)
}
command?: (string | null)
args?: (string | null)
target?: (string | null)
location?: ({
map?: (string | null)
x?: (number | null)
y?: (number | null)
z?: (number | null)
region?: (string | null)
} | null)
}
createdAt: string
}
export interface Standing {
governorOf: string[]
guildsLed: {
guildId: number
name: (string | null)
abbr: (string | null)
}[]
}
export interface AccountUnlinked {
account: string
unlinked: boolean
}
export interface VisibilityConfig {
ladder: Rung[]
lockedFields: LockedField[]
defaults: FeatureVisibilities
features: FeatureVisibilities
revision: Revision
}
export interface FeatureVisibilities {
status: (FeatureVisibility & {
fieldRules?: {

}
})
online: (FeatureVisibility & {
fieldRules?: {

}
})
presence: (FeatureVisibility & {
fieldRules?: {
byRegion: Rung
}
})
houses: (FeatureVisibility & {
fieldRules?: {
name: Rung
region: Rung
}
})
leaderboards: (FeatureVisibility & {
fieldRules?: {
name: Rung
}
})
ruleset: (FeatureVisibility & {
fieldRules?: {

}
})
market: (FeatureVisibility & {
fieldRules?: {
location: Rung
ownerSerial: Rung
ownerName: Rung
}
})
atlas: (FeatureVisibility & {
fieldRules?: {

}
})
champions: (FeatureVisibility & {
fieldRules?: {
damagers: Rung
}
})
governors: (FeatureVisibility & {
fieldRules?: {

}
})
guilds: (FeatureVisibility & {
fieldRules?: {
members: Rung
}
})
deeds: (FeatureVisibility & {
fieldRules?: {
location: Rung
}
})
announcements: (FeatureVisibility & {
fieldRules?: {

}
})
}
export interface FeatureVisibility {
enabled: boolean
audience: Rung
stream: boolean
fieldRules: {
[k: string]: Rung | undefined
}
}
export interface VisibilityUpdate {
features: {
status?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({

} | null)
} | null)
online?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({

} | null)
} | null)
presence?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({
byRegion?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
} | null)
houses?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({
name?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
region?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
} | null)
leaderboards?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({
name?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
} | null)
ruleset?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({

} | null)
} | null)
market?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({
location?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
ownerSerial?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
ownerName?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
} | null)
atlas?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({

} | null)
} | null)
champions?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({
damagers?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
} | null)
governors?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({

} | null)
} | null)
guilds?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({
members?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
} | null)
deeds?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({
location?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
} | null)
} | null)
announcements?: ({
enabled?: (boolean | null)
audience?: ("anonymous" | "logged_in" | "player" | "staff" | "admin" | null)
stream?: (boolean | null)
fieldRules?: ({

} | null)
} | null)
}
basedOn?: string
}
export interface SurvivalIntegrations {
serverId: number
online: boolean
checkedAt: string
framework: ({
name: string
version: (string | null)
} | null)
integrations: {
id: string
mod: (string | null)
loaded: boolean
version: (string | null)
usable: boolean
reason: ("offline" | "unsupported" | "not-loaded" | "outdated" | null)
enables: string[]
}[]
}
export interface AssetStatus {
loaded: {
assets: number
stored: number
items: number
land: number
creatures: number
resolved: number
catalog: (string | null)
extractorVersion: (number | null)
importedAt: (string | null)
}
shard: ({
files: number
extractorVersion: number
hashing: boolean
complete: boolean
imaging: ({
ok: boolean
code: (string | null)
reason: (string | null)
} | null)
families: string[]
} | null)
drift: (boolean | null)
reason: (string | null)
code: AssetStatusCode
}
export interface AssetImportResult {
status: AssetEnd
reason: (string | null)
code: AssetCode
catalog: (string | null)
extractorVersion: (number | null)
assets: (number | null)
fetched: (number | null)
written: (number | null)
absent: (number | null)
unsupported: (number | null)
removed?: number
scanned: (number | null)
pages: (number | null)
playerBodies: number[]
vanished?: string[]
vanishedCount?: number
bodies: {
asked: number
answered: number
resolved: number
tally: {
ok: number
unknown: number
notCreature: number
failed: number
}
reason: (string | null)
}
art: {
applied: number
derived: number
operator: number
error: (string | null)
}
}
export interface ItemArtWarmResult {
status: ItemArtEnd
reason: (string | null)
code: ItemArtCode
catalog: (string | null)
wanted: (number | null)
held: (number | null)
asked: (number | null)
fetched: (number | null)
written: (number | null)
absent: (number | null)
unsupported: (number | null)
remaining: (number | null)
}
export interface AtlasPage {
facets: AtlasFacet[]
facet: (string | null)
regions: AtlasRegion[]
spawns: AtlasSpawn[]
total: number
limit: number
offset: number
importedAt: (string | null)
}
export interface AtlasFacet {
name: string
regions: number
rects: number
spawners: number
entries: number
total: number
}
export interface AtlasRegion {
key: string
name: (string | null)
type: (string | null)
parent: (string | null)
level: number
priority: number
rects: AtlasRect[]
go: AtlasPoint
entrance: AtlasPoint
music: (string | null)
rune: (string | null)
guarded: boolean
housing: boolean
logoutDelay: boolean
minExpansion: (string | null)
maxExpansion: (string | null)
area: number
}
export interface AtlasRect {
x1: number
y1: number
x2: number
y2: number
z1?: number
z2?: number
}
export interface AtlasSpawn {
key: string
name: (string | null)
x: number
y: number
z: number
rect: AtlasRectOrNull
homeRange: number
walkRange: number
count: number
minDelaySec: number
maxDelaySec: number
running: boolean
region: (string | null)
entries: AtlasEntry[]
}
export interface AtlasEntry {
type: string
max: number
probability: (number | null)
status: BodyStatus
body: (number | null)
art: (string | null)
}
export interface AtlasStatus {
source: AtlasSource
path: (string | null)
readable: boolean
problem: (string | null)
code: AtlasCode
drift: (boolean | null)
loaded: {
facets: number
regions: number
spawners: number
creatures: number
importedAt: (string | null)
sources: SourceStamp[]
}
counts: AtlasCounts
tree: AtlasTree
pending: ({
status: ("pending" | "rejected")
removedFacets: string[]
addedFacets: string[]
counts: AtlasCounts
stagedAt: string
revision: Revision
} | null)
}
export interface SourceStamp {
path: string
size: number
sha256: string
}
export interface AtlasRefreshResult {
status: AtlasEnd
reason: (string | null)
source?: AtlasSourceOrNull
path: (string | null)
code: AtlasCode
counts: AtlasCounts
addedFacets: string[]
removedFacets: string[]
}
export interface ClilocStatus {
source: ClilocSource
configured: boolean
path: string
file: (string | null)
fileReadable: boolean
problem: (string | null)
code: ClilocStatusCode
shard: ({
size: number
mtime: number
sha256: (string | null)
extractorVersion: number
hashing: boolean
complete: boolean
} | null)
drift: (boolean | null)
count: number
sources: string[]
loadedSources: (LoadedClilocSource[] | null)
missingSources: string[]
importedAt: (string | null)
sourceBytes: (number | null)
}
export interface LoadedClilocSource {
label: string
kind: ("shard" | "base" | "custom")
entries: number
added: number
overrode: number
}
export interface ClilocRefreshResult {
status: ClilocEnd
reason: (string | null)
source: ClilocSourceOrNull
code: ClilocCode
path: (string | null)
file: (string | null)
count: (number | null)
parsed: (number | null)
blank: (number | null)
pages?: (number | null)
reported?: (number | null)
received?: (number | null)
overlayProblem: (string | null)
sources: LoadedClilocSource[]
missingSources?: string[]
acceptedMissing?: string[]
}
export interface AnnouncedEvent {
slug: string
title: string
summary: string
body: string
imageUrl: (string | null)
series: ({
slug: string
name: string
} | null)
next: (string | null)
}
export interface AnnouncedEventPage {
event: AnnouncedEvent
runs: AnnouncedRun[]
}
export interface AnnouncedRun {
id: number
scheduledFor: (string | null)
startedAt: (string | null)
endedAt: (string | null)
status: PublicRunStatus
}
export interface AnnouncedSeries {
series: {
slug: string
name: string
description: string
}
events: AnnouncedEvent[]
}
export interface EventHistory {
history: EventHistoryLine[]
nextBefore: (number | null)
}
export interface EventHistoryLine {
runId: number
event: {
slug: string
title: string
}
at: string
rewards: {
kit: string
count: number
}[]
}
export interface EventCatalog {
actions: EventActionFields[]
risks: EventRisk[]
reversible: string[]
paramTypes: EventParamType[]
onFailure: EventOnFailure[]
onFailureByRisk: {
[k: string]: EventOnFailure | undefined
}
scheduleKinds: EventScheduleKind[]
triggers: EventTrigger[]
audiences: {
id: string
label: string
description: string
owner: string
}[]
bodies: {
id: string
label: string
owner: string
triggers: string[]
text: string
}[]
operators: EventOperator[]
advanceKinds: EventAdvanceKind[]
limits: {
[k: string]: number | undefined
}
}
export interface EventActionFields {
id: string
label: string
owner: string
risk: EventRisk
reversible: boolean
params: EventParam[]
dimensions: string[]
version: number
}
export interface EventParam {
name: string
type: EventParamType
required: boolean
default?: EventParamValue
values?: string[]
min?: number
max?: number
maxLength?: number
description: string
}
export interface EventTrigger {
id: string
version: number
label: string
description: string
owner: string
variables: EventVariable[]
}
export interface EventVariable {
name: string
type: EventParamType
required: boolean
description: string
values?: string[]
list?: boolean
}
export interface EventSwitchboard {
actions: SwitchedAction[]
worldChangingRisks: EventRisk[]
}
export interface EventCaps {
[k: string]: number | undefined
}
export interface ConfiguredAction {
id: string
enabled: boolean
configured: boolean
caps: EventCaps
updatedAt: (string | null)
}
export interface EventCalendar {
window: {
from: string
to: string
}
horizon: string
horizonDays: number
entries: EventCalendarEntry[]
truncated: boolean
}
export interface EventCalendarEntry {
runId: (number | null)
definitionId: number
title: string
slug: string
seriesId: (number | null)
scope: EventScope
scheduledFor: string
status: EventEntryStatus
versionId: number
}
export interface Series {
id: number
name: string
slug: string
description: string
ordering: number
definitionCount: number
}
export interface DeletedSeries {
ok: boolean
detached: number
}
export interface Run {
id: number
definitionId: number
definitionTitle: string
definitionSlug: string
versionId: number
version: number
scope: EventScope
status: EventRunStatus
health: EventRunHealth
cleanupStatus: "none"
currentPhase: (string | null)
scheduledFor: (string | null)
timezone: string
concurrencyKey: (string | null)
params: {
[k: string]: unknown | undefined
}
rehearsal: boolean
startedBy: (number | null)
startedByUsername: (string | null)
startedAt: (string | null)
endedAt: (string | null)
lastError: (string | null)
createdAt: string
waitingSteps: number
revision: Revision
}
export interface EventRunDetail {
run: Run
steps: Step[]
counts: {
[k: string]: number | undefined
}
gates: string[]
budget: EventBudget[]
}
export interface Step {
id: number
runId: number
phase: string
seq: number
actionId: string
params: {
[k: string]: unknown | undefined
}
actionVersion: number
status: EventStepStatus
parked: boolean
dueAt: (string | null)
attempts: number
onFailure: EventOnFailure
idempotencyKey: string
lastError: (string | null)
startedAt: (string | null)
finishedAt: (string | null)
revision: Revision
}
export interface EventBudget {
dimension: string
cap: number
spent: number
actionId: string
}
export interface EventRunLog {
log: EventLogLine[]
kinds: EventLogKind[]
}
export interface EventLogLine {
id: number
stepId: (number | null)
kind: EventLogKind
phase: (string | null)
detail: {
[k: string]: unknown | undefined
}
at: string
}
export interface CreatedEventRun {
run: Run
created: boolean
}
export interface AdvancedEventRun {
run: Run
phase: (string | null)
}
export interface CancelledEventRun {
run: Run
cancelledSteps: number
}
export interface RetriedEventStep {
step: Step
run: Run
resumed: boolean
}
export interface Definition {
id: number
title: string
slug: string
summary: string
body: string
imageUrl: (string | null)
ownerModule: string
state: EventState
currentVersionId: (number | null)
currentVersion: (number | null)
currentVersionVerifiedAt: (string | null)
currentVersionRevision: (number | null)
revision: number
seriesId: (number | null)
seriesName: (string | null)
seriesOrder: number
concurrencyKey: (string | null)
graceSeconds: number
timezone: string
spec: EventSpec
createdAt: string
updatedAt: string
}
export interface EventSpec {
listed?: boolean
scope?: string
schedule?: {
kind: ("manual" | "once" | "recurring")
at?: (string | null)
rrule?: (string | null)
until?: (string | null)
}
params?: {
name: string
type: ("string" | "text" | "integer" | "number" | "boolean" | "duration" | "datetime" | "enum" | "serial" | "location" | "server" | "stream")
required?: boolean
default?: ((string | null) | number | boolean | {
map: string
x: number
y: number
z?: number
})
values?: string[]
min?: number
max?: number
maxLength?: number
description?: string
}[]
phases: {
key: string
title: string
steps?: {
key: string
actionId: string
params?: {

}
offsetSeconds?: number
onFailure?: ("continue" | "pause" | "abort" | "park")
confirm?: boolean
maxAttempts?: number
budgetMs?: number
}[]
advance?: {
kind: ("steps" | "after" | "trigger" | "manual")
seconds?: (number | null)
trigger?: (string | null)
count?: (number | null)
where?: ({
var: string
op: ("eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "exists")
value: (string | number | boolean | (string | number | boolean)[])
}[] | null)
timeoutSeconds?: (number | null)
onTimeout?: ("advance" | "pause" | null)
}
}[]
}
export interface Version {
id: number
version: number
revision: number
publishedAt: string
publishedBy: (number | null)
publishedByUsername: (string | null)
current: boolean
}
export interface PublishedEvent {
event: Definition
version: number
versionId: number
repinned: number
}
export interface VerifiedEvent {
target: ("published" | "draft")
versionId: (number | null)
version: (number | null)
recorded: boolean
report: {
ok: boolean
findings: EventFinding[]
worstCase: {
[k: string]: number | undefined
}
}
}
export interface EventFinding {
level: ("error" | "warning")
path: string
message: string
}
export interface SurvivalServer {
id: number
slug: string
name: string
description: (string | null)
region: (string | null)
framework: ("oxide" | "carbon" | "vanilla" | null)
modded: Modded
connect: (string | null)
online: boolean
onlineSince: (string | null)
lastSeenAt: (string | null)
players: (number | null)
maxPlayers: (number | null)
queued: (number | null)
joining: (number | null)
map: SurvivalWorld
mapHash: (string | null)
lastWipe: (string | null)
nextWipe: (string | null)
nextWipeSource: ("at" | "cron" | "rule" | null)
wipeRule: WipeRule
wipeTimezone: (string | null)
tabs: SurvivalTabs
sort: number
}
export interface SurvivalTabs {
feed: boolean
leaderboard: boolean
online: boolean
wipes: boolean
map: boolean
clans: boolean
}
export interface ClanBoard {
clans: Clan[]
total: number
ceiling: number
complete: boolean
updatedAt: (string | null)
}
export interface Clan {
externalId: string
serverId: number
clanId: string
createdAt: string
name: string
color: (string | null)
logoHash: (string | null)
score: ((number | null) | string)
rank: (number | null)
memberCount: number
onlineCount?: (number | null)
leader?: ({
steamId: SteamId
name: string
} | null)
motd?: (string | null)
firstSeenAt: string
lastSeenAt: string
disbandedAt: (string | null)
}
export interface ClanPage {
clan: Clan
members: ClanMember[]
hidden: boolean
audience: Rung
}
export interface ClanMember {
steamId: SteamId
name: string
roleId: (number | null)
role: (string | null)
roleRank: (number | null)
joinedAt: (string | null)
lastSeenAt?: (string | null)
online?: (boolean | null)
}
export interface SurvivalMap {
serverId: number
worldSize: (number | null)
seed: (string | null)
image: SurvivalMapImage
grid: SurvivalMapGrid
monuments: SurvivalMonument[]
layers: {
world: boolean
events: boolean
players: boolean
bases: boolean
}
live: boolean
}
export interface SurvivalMonument {
label: string
name: (string | null)
x: number
z: number
grid: (string | null)
}
export interface SurvivalLiveMap {
at: (string | null)
stale: boolean
gameTime: (number | null)
hidden: boolean
audience: Rung
layers: {
events?: SurvivalLiveEvent[]
players?: SurvivalLivePlayer[]
bases?: SurvivalLiveBase[]
}
}
export interface SurvivalLiveEvent {
id: string
type: string
x: number
z: number
rotation: (number | null)
label: (string | null)
since: (string | null)
}
export interface SurvivalLivePlayer {
steamId: SteamId
name: string
x: number
z: number
rotation: (number | null)
health: (number | null)
clan: (string | null)
sleeping: boolean
dead: boolean
}
export interface SurvivalLiveBase {
id: string
x: number
z: number
owner: (string | null)
auth: SteamId[]
protectedUntil: (string | null)
}
export interface SurvivalMapFetched {
status: SurvivalMapEnd
reason: (string | null)
code: SurvivalMapCode
hash: (string | null)
}
export interface SurvivalMapRender {
status: SurvivalMapRenderEnd
reason: (string | null)
code: SurvivalMapCode
scale: (number | null)
}
export interface AdminSurvivalServer {
id: number
slug: string
name: string
description: (string | null)
region: (string | null)
framework: ("oxide" | "carbon" | "vanilla" | null)
modded: Modded
connect: (string | null)
online: boolean
onlineSince: (string | null)
lastSeenAt: (string | null)
players: (number | null)
maxPlayers: (number | null)
queued: (number | null)
joining: (number | null)
map: SurvivalWorld
mapHash: (string | null)
lastWipe: (string | null)
nextWipe: (string | null)
nextWipeSource: ("at" | "cron" | "rule" | null)
wipeRule: WipeRule
wipeTimezone: (string | null)
tabs: SurvivalTabs
sort: number
enabled: boolean
listed: boolean
acceptsLinks: boolean
linkCodes: SurvivalLinkCodes
kind: SurvivalLinkKind
baseUrl: string
wsUrl: string
hasToken: boolean
rconHost: string
rconPort: number
rconTls: boolean
hasPassword: boolean
hasKey: boolean
keyCreatedAt: (string | null)
keyLastUsedAt: (string | null)
plugin: LinkedPlugin
reportKey: ({
createdAt: string
lastUsedAt: (string | null)
} | null)
protocol: number
link: SurvivalLinkState
helpers: SurvivalHelper[]
wipeDay: (number | null)
wipeTime: (string | null)
wipeCron: (string | null)
wipeAt: (string | null)
titleMode: ("first" | "all" | "upTo")
titleMax: (number | null)
permissionSync: boolean
showSeed: boolean
ignoreStaff: boolean
createdAt: string
updatedAt: string
}
export interface SurvivalLinkCodes {
lastAt: (string | null)
problem: (string | null)
}
export interface SurvivalLinkState {
status: LinkStatus
since: (string | null)
lastEventAt: (string | null)
lastSeq: (number | null)
bootId: (string | null)
epoch: (string | null)
worldReady: boolean
pluginVersion: (string | null)
npcApi: (number | null)
rowsLeftOut: number
leftOut: SurvivalLeftOut[]
error: (string | null)
}
export interface SurvivalLeftOut {
part: SurvivalBound
count: number
lastAt: string
}
export interface SurvivalHelper {
id: string
name: (string | null)
version: (string | null)
loaded: boolean
}
export interface SurvivalVisibilityConfig {
presence: Rung
roster: Rung
profiles: Rung
liveMap: LiveMapVisibility
layers: LayerVisibility
monuments: {
label: string
name: (string | null)
shown: boolean
servers: number[]
}[]
defaults: {
presence: Rung
roster: Rung
profiles: Rung
liveMap: LiveMapVisibility
layers: LayerVisibility
}
ladder: Rung[]
revision: Revision
updatedAt: (string | null)
updatedBy: (string | null)
}
export interface LiveMapVisibility {
card: boolean
audience: Rung
}
export interface LayerVisibility {
world: Rung
events: Rung
players: Rung
bases: Rung
}
export interface OwnPermissions {
steamIds: SteamId[]
entries: {
id: number
kind: ("permission" | "membership")
steamId: SteamId
value: string
title: (string | null)
via: ("manual" | "event" | "store" | "system")
state: ("active" | "expiring" | "expired" | "revoked")
servers: {
id: number
name: string
live: boolean
}[]
live: boolean
expiresAt: (string | null)
}[]
}
export interface SurvivalConfigWrite {
writeId: string
serverId: number
plugin: string
file: string
state: ("reloading" | "settled" | "lost")
outcome: ("ok" | "failed" | "rolled-back" | null)
createdAt: string
createdBy: (string | null)
settleBy: string
settledAt: (string | null)
beforeHash: string
writtenHash: string
afterHash: (string | null)
message: (string | null)
logTail: string[]
rollbackOf: (string | null)
lateOutcome: ({
ok: boolean
at: string
message: (string | null)
logTail: string[]
} | null)
}
export interface SurvivalTitleCategory {
stat: string
label: string
unit: ("count" | "metres" | "seconds")
aggregate: ("sum" | "max")
ranked: boolean
defaultTitle: string
title: string
customised: boolean
revision: Revision
updatedAt: (string | null)
updatedBy: (string | null)
}
export interface SurvivalTitles {
mode: ("first" | "all" | "upTo")
max: (number | null)
rules: SurvivalTitleRule[]
revision: Revision
push: SurvivalTitlesPush
}
export interface SurvivalTitleRule {
id: number
position: number
stat: string
topN: number
text: (string | null)
color: (string | null)
enabled: boolean
}
export interface SurvivalVoice {
name: string
title: {
text: string
color: string
size: number
hidden: boolean
}
username: {
color: string
size: number
}
message: {
color: string
size: number
}
format: {
chat: string
console: string
}
iconSteamId: (string | null)
prefix: (string | null)
revision: Revision
updatedAt: (string | null)
updatedBy: (string | null)
}
export interface NpcFactions {
factions: string[]
pairs: {
a: string
b: string
stance: ("ally" | "neutral" | "hostile")
}[]
revision: Revision
updatedAt: (string | null)
updatedBy: (string | null)
push: {
serverId: number
state: NpcReach
at: (string | null)
error: (string | null)
}[]
}
export interface OwnData {
exported_at: string
account: OwnAccount
sessions: OwnSession[]
trusted_devices: OwnTrustedDevice[]
identities: OwnIdentity[]
push_devices: PushDevice[]
subscriptions: OwnSubscription[]
market_searches: SavedSearch[]
recovery_codes: OwnRecoveryCodes
password_resets: OwnPasswordReset[]
invites: OwnInvite[]
api_tokens: OwnApiToken[]
links: ShardLink[]
steam_links: OwnSteamLink[]
survival_grants: OwnSurvivalGrant[]
survival_sightings: OwnSurvivalSighting[]
survival_presence: OwnSurvivalPresence[]
survival_clans: OwnSurvivalClan[]
survival_tallies: OwnSurvivalTally[]
survival_scores: OwnSurvivalScore[]
survival_npc_kills: OwnSurvivalNpcKills[]
survival_participations: OwnSurvivalParticipation[]
survival_kits: OwnKit[]
survival_reports: OwnSurvivalReport[]
survival_chat: OwnSurvivalChat[]
houses: ShardHouse[]
offices: Standing
characters_online: OwnOnlineCharacter[]
bans: OwnBan[]
sales: VendorSale[]
event_participations: OwnParticipation[]
posts: OwnPost[]
wiki_revisions: OwnWikiRevision[]
appeals: OwnAppeal[]
activity: OwnActivity[]
}
export interface OwnAccount {
id: number
username: string
email: (string | null)
role: Role
totp_enabled: boolean
has_password: boolean
staff_since: (string | null)
created_at: string
updated_at: string
}
export interface OwnSession {
id: number
device_name: (string | null)
created_at: string
last_used_at: (string | null)
expires_at: string
ended_at: (string | null)
ended_by: (string | null)
}
export interface OwnTrustedDevice {
id: number
label: string
created_at: string
last_used_at: string
expires_at: string
}
export interface OwnIdentity {
provider: string
name: string
issuer: string
subject: string
linked_at: string
}
export interface OwnSubscription {
stream: string
}
export interface SavedSearch {
id: number
name: string
query: {
q?: string
minPrice?: number
maxPrice?: number
itemId?: number
map?: string
region?: string
}
enabled: boolean
created_at: string
last_match_at: (string | null)
}
export interface OwnRecoveryCodes {
remaining: number
total: number
created_at: (string | null)
}
export interface OwnPasswordReset {
created_at: string
expires_at: string
used_at: (string | null)
}
export interface OwnInvite {
id: number
sent_by_you: boolean
email: (string | null)
role: Role
created_at: string
expires_at: string
accepted_at: (string | null)
revoked_at: (string | null)
}
export interface OwnApiToken {
id: number
name: string
role: TokenRole
scopes: Scope[]
created_at: string
expires_at: (string | null)
last_used_at: (string | null)
revoked_at: (string | null)
}
export interface OwnSteamLink {
steamId: SteamId
name: string
linkedAt: string
}
export interface OwnSurvivalGrant {
kind: ("permission" | "membership")
steamId: SteamId
value: string
source: ("manual" | "event" | "store" | "system")
createdAt: string
expiresAt: (string | null)
revokedAt: (string | null)
}
export interface OwnSurvivalSighting {
serverId: number
steamId: SteamId
name: string
firstSeenAt: string
lastSeenAt: string
}
export interface OwnSurvivalPresence {
serverId: number
steamId: SteamId
name: string
connectedAt: string
}
export interface OwnSurvivalClan {
serverId: number
clan: string
steamId: SteamId
name: string
role: (string | null)
joinedAt: (string | null)
lastSeenAt: (string | null)
disbandedAt: (string | null)
}
export interface OwnSurvivalTally {
wipeId: number
steamId: SteamId
name: string
isStaff: boolean
updatedAt: string
}
export interface OwnSurvivalScore {
wipeId: number
steamId: SteamId
stat: string
value: number
reachedAt: string
}
export interface OwnSurvivalNpcKills {
wipeId: number
steamId: SteamId
profileKey: string
kills: number
lastAt: string
}
export interface OwnSurvivalParticipation {
serverId: number
method: ("zone" | "command" | "damage" | "kill")
steamId: SteamId
name: string
firstAt: number
lastAt: number
score: number
}
export interface OwnKit {
id: number
serverId: number
server: string
steamId: SteamId
kit: string
uses: number
used: number
state: ("pending" | "delivered" | "redeemed" | "expired" | "failed")
createdAt: string
deliveredAt: (string | null)
expiresAt: (string | null)
}
export interface OwnSurvivalReport {
id: number
serverId: number
steamId: SteamId
type: (string | null)
subject: string
message: string
reportedAt: string
}
export interface OwnSurvivalChat {
id: number
serverId: number
steamId: SteamId
t: number
message: string
}
export interface OwnOnlineCharacter {
serial: string
name: string
map: (string | null)
x: (number | null)
y: (number | null)
z: (number | null)
region: (string | null)
}
export interface OwnBan {
id: number
account: string
reason: string
issuedAt: string
expiresAt: (string | null)
endedAt: (string | null)
}
export interface OwnParticipation {
run_id: number
at: string
rewards: {
kit: string
count: number
}[]
}
export interface OwnPost {
id: number
slug: string
title: string
status: ("draft" | "published")
created_at: string
updated_at: string
}
export interface OwnWikiRevision {
page_id: number
revision: number
title: string
note: (string | null)
created_at: string
}
export interface OwnActivity {
id: number
at: string
action: string
by_you: boolean
address: (string | null)
detail: ({
[k: string]: unknown | undefined
} | null)
}
export interface RevokedCount {
revoked: number
}
export interface DeletedCount {
deleted: number
}
export interface RecoveryCodeCount {
remaining: number
total: number
created_at: (string | null)
}
export interface PluginWelcome {
cursor: ({
epoch: string
seq: number
} | null)
resync: string[]
pollSeconds: number
maxEvents: number
maxBytes: number
now: number
}
export interface PluginReceipt {
seq: number
}
export interface PluginCommand {
id: string
call: string
params: {
[k: string]: string | undefined
}
query: {
[k: string]: string | undefined
}
body: ({

} | null)
actor: ({
userId: (number | null)
username: string
role: string
} | null)
key: (string | null)
timeoutMs: number
}
export interface NewPluginKey {
key: string
url: string
command: string
}
export interface EndedPluginKeys {
ended: number
}
export interface NewReportKey {
key: string
url: string
commands: string[]
}
export interface ReceivedReport {
ok: true
}
export interface PushTest {
delivered: boolean
status: (number | null)
}
export interface ApiToken {
id: number
name: string
role: TokenRole
scopes: Scope[]
created_at: string
created_by: number
expires_at: (string | null)
last_used_at: (string | null)
}
export interface MadeApiToken {
token: ApiToken
secret: string
}
export interface DeletedSlug {
slug: string
}
export interface WikiRevision {
revision: number
title: string
author: Author
note: (string | null)
created_at: string
body: string
}
export interface SearchPage {
hits: SearchHit[]
total: number
}
export interface SearchHit {
type: ("post" | "wiki" | "page")
slug: string
title: string
excerpt: string
score: number
}
export interface Preview {
html: string
removed: RemovedParts
}
export interface UserPage {
users: User[]
total: number
}
export interface User {
id: number
username: string
email: (string | null)
role: Role
totp_enabled: boolean
disabled: boolean
has_password: boolean
created_at: string
}
export interface ActivityPage {
activity: Activity[]
nextBefore: (number | null)
}
export interface Activity {
id: number
at: string
actor: ({
id: number
username: (string | null)
token?: ActingToken
} | null)
action: string
target: ({
type: string
id: string
} | null)
detail: {
[k: string]: unknown | undefined
}
}
export interface ActingToken {
id: number
name: (string | null)
}
export interface Ban {
ip: string
score: number
strikes: number
banned_until: string
}
export interface Webhook {
id: number
url: string
format: ("standard" | "discord")
streams: WebhookStream[]
enabled: boolean
failing: boolean
failing_since: (string | null)
disabled_reason: ("gone" | "failing" | null)
last_error: WebhookFault
last_success_at: (string | null)
created_at: string
}
export interface MadeWebhook {
webhook: Webhook
secret: (string | null)
}
export interface SavedWebhook {
webhook: Webhook
secret?: string
}
export interface WebhookTest {
delivered: boolean
status: (number | null)
}
export interface WebhookDeliveryPage {
deliveries: WebhookDelivery[]
total: number
limit: number
offset: number
}
export interface WebhookDelivery {
id: number
message_id: string
event: string
status: ("waiting" | "trying" | "delivered" | "failed")
attempts: number
code: (number | null)
error: WebhookFault
answer: (string | null)
next_at: (string | null)
created_at: string
delivered_at: (string | null)
}
export interface QueuedDeliveries {
queued: number
}
export interface StaffAppealPage {
appeals: StaffAppeal[]
counts: {
open: number
assigned: number
accepted: number
reduced: number
rejected: number
withdrawn: number
}
}
export interface StaffAppeal {
id: number
game: "shard"
account: string
user: NamedUser
punishment: StaffPunishment
reason: string
state: AppealState
assignee: (NamedUser | {

})
created_at: string
updated_at: string
decided_at: (string | null)
decision_note: (string | null)
messages_count: number
unban: Unban
}
export interface NamedUser {
id: number
username: string
}
export interface StaffPunishment {
id: number
kind: "ban"
reason: string
issued_at: string
expires_at: (string | null)
issued_by: Issuer
}
export interface StaffAppealAndMessages {
appeal: StaffAppeal
messages: StaffAppealMessage[]
reports: ReportsAgainst
}
export interface StaffAppealMessage {
id: number
author: ("player" | "staff")
body: string
created_at: string
internal: boolean
author_name: (string | null)
}
export interface ReportsAgainst {
count: number
newest: SurvivalReport[]
}
export interface SurvivalReport {
id: number
server: {
id: number
name: string
}
state: SurvivalReportState
reporter: ReportedPlayer
target: (ReportedPlayer | {

})
type: (string | null)
subject: string
message: string
reportedAt: string
seenAt: (string | null)
seenBy: ReportReader
closedAt: (string | null)
closedBy: ReportReader
note: (string | null)
}
export interface ReportedPlayer {
steamId: SteamId
name: string
}
export interface WrittenByStaff {
message: (StaffAppealMessage | {

})
}
export interface DecidedAppeal {
appeal: StaffAppeal
unban: Unban
}
export interface RejectedFrame {
id: number
at: string
reason: string
detail: (string | null)
kind: (string | null)
excerpt: string
}
export interface SurvivalAnnounced {
results: {
serverId: number
status: ("sent" | "offline" | "failed" | "unsupported")
}[]
}
export interface SurvivalPlayerCommand {
steamId: SteamId
}
export interface SurvivalPlayerBanned {
steamId: SteamId
expiresAt: (string | null)
ownerSteamId: (string | null)
}
export interface SurvivalBan {
steamId: SteamId
name: string
reason: string
expiresAt: (string | null)
}
export interface SurvivalLedgerPage {
ledger: SurvivalLedgerEntry[]
next?: number
}
export interface SurvivalLedgerEntry {
id: number
serverId: number
what: ("zone" | "npc" | "placement" | "grant" | "group" | "titles" | "voice" | "participation" | "kit" | "announce" | "map" | "config")
ref: string
state: ("pushed" | "confirmed" | "expired" | "withdrawn" | "failed" | "lost")
pushedAt: string
confirmedAt: (string | null)
leaseUntil: (string | null)
endedAt: (string | null)
reason: (string | null)
runId: (number | null)
stepId: (number | null)
bootId: (string | null)
}
export interface QueueStates {
queues: QueueHealth[]
workers: SeenProcess[]
reviews: ImportReview[]
}
export interface QueueHealth {
name: string
group: QueueGroup
depth: number
retrying: number
active: number
failed: number
cancelled: number
oldestSeconds: (number | null)
completedLastHour: number
failedLastHour: number
workers: number
schedule: (string | null)
scheduleInWords: (string | null)
paused: ({
at: string
by: (string | null)
} | null)
}
export interface SeenProcess {
id: string
kind: ProcessKind
queueGroups: QueueGroup[]
host: string
pid: number
version: string
startedAt: string
seenAt: string
}
export interface ImportReview {
kind: ImportName
queue: string
jobId: string
reason: (string | null)
finishedAt: string
}
export interface JobList {
jobs: Job[]
groups: EqualFailures[]
}
export interface Job {
id: string
queue: string
state: JobState
data: ({
[k: string]: unknown | undefined
} | null)
output: ({
[k: string]: unknown | undefined
} | null)
attempts: number
retryLimit: number
createdAt: string
startedAt: (string | null)
completedAt: (string | null)
nextTryAt: (string | null)
progress: JobProgress
}
export interface EqualFailures {
queue: string
error: (string | null)
jobs: number
firstAt: string
lastAt: string
newestJobId: string
}
export interface RetriedJobs {
retried: number
}
export interface DiscardedJobs {
discarded: number
}
export interface SurvivalFeed {
events: SurvivalFeedEvent[]
next?: number
hidden: boolean
}
export interface SurvivalFeedWorldWiped {
id: number
kind: "world.wiped"
t: number
text: string
payload: {
saveId: number
blueprints: ("kept" | "wiped" | "unknown")
level?: (string | null)
size?: (number | null)
}
}
export interface SurvivalFeedPlayerJoined {
id: number
kind: "player.joined"
t: number
text: string
payload: {
steamId: string
name: string
connectedAt: number
first?: (boolean | null)
}
}
export interface SurvivalFeedPlayerLeft {
id: number
kind: "player.left"
t: number
text: string
payload: {
steamId: string
name: string
connectedAt: number
reason?: (string | null)
sessionSec?: (number | null)
}
}
export interface SurvivalFeedPlayerRespawned {
id: number
kind: "player.respawned"
t: number
text: string
payload: {
steamId: string
name: string
x?: (number | null)
z?: (number | null)
grid?: (string | null)
bag?: (boolean | null)
}
}
export interface SurvivalFeedPlayerDied {
id: number
kind: "player.died"
t: number
text: string
payload: {
victim: {
steamId: string
name: string
}
killer: {
kind: ("player" | "npc" | "animal" | "entity" | "self" | "environment")
steamId?: (string | null)
name?: (string | null)
profile?: (string | null)
prefab?: (string | null)
}
weapon?: (string | null)
distance?: (number | null)
headshot?: (boolean | null)
sleeping?: (boolean | null)
x?: (number | null)
z?: (number | null)
grid?: (string | null)
}
}
export interface SurvivalFeedPlayerChat {
id: number
kind: "player.chat"
t: number
text: string
payload: {
steamId: string
name: string
channel: "global"
message: string
}
}
export interface SurvivalFeedSurvivalNpcDied {
id: number
kind: "survival.npc.died"
t: number
text: string
payload: {
profile: string
placement?: (string | null)
name?: (string | null)
boss?: (boolean | null)
killer?: ({
steamId: string
name: string
} | null)
contributors?: ({
steamId: string
damage: number
}[] | null)
weapon?: (string | null)
distance?: (number | null)
x?: (number | null)
z?: (number | null)
grid?: (string | null)
alive?: (number | null)
}
}
export interface SurvivalLeaderboard {
stat: SurvivalStat
wipe: ((number | null) | "all")
categories: SurvivalStat[]
entries: {
rank: number
steamId: SteamId
name: string
value: number
title?: string
}[]
total: number
updatedAt: (string | null)
}
export interface SurvivalPresence {
players: {
steamId: SteamId
name: string
since: string
clan?: ClanName
}[]
hidden: boolean
count: number
audience: Rung
}
export interface ClanName {
externalId: string
name: string
}
export interface SurvivalWipes {
wipes: SurvivalWipe[]
nextWipe: (string | null)
schedule: WipeSchedule
}
export interface SurvivalWipe {
id: number
serverId: number
saveId: number
startedAt: string
endedAt: (string | null)
kind: ("map" | "full" | "unknown")
forced: boolean
saveProtocol: (number | null)
level: (string | null)
seed: (string | null)
worldSize: (number | null)
mapHash: (string | null)
players: number
peak: (number | null)
leaders: {
kills: SurvivalLeader
playtime: SurvivalLeader
}
}
export interface WipeSchedule {
wipeRule: WipeRule
wipeDay: (number | null)
wipeTime: (string | null)
wipeTimezone: (string | null)
wipeCron: (string | null)
wipeAt: (string | null)
}
export interface NpcProfileRank {
key: string
name: string
boss: boolean
kills: number
leader?: {
steamId: SteamId
name: string
kills: number
}
}
export interface NpcRanking {
profile: NpcProfileRank
entries: NpcRankingEntry[]
total: number
}
export interface NpcRankingEntry {
rank: number
steamId: SteamId
name: string
kills: number
lastAt: string
}
export interface PlayerNpcKills {
player: SurvivalPerson
profiles: NpcKills[]
}
export interface SurvivalPerson {
steamId: SteamId
name: string
}
export interface NpcKills {
key: string
name: string
kills: number
rank: number
}
export interface OwnNpcKills {
players: SurvivalPerson[]
profiles: NpcKills[]
}
export interface SteamLink {
steamId: SteamId
name: string
linkedAt: string
server: ({
id: number
name: string
} | null)
}
export interface SteamLinked {
steamId: SteamId
name: string
linkedAt: string
}
export interface SteamUnlinked {
steamId: SteamId
unlinked: boolean
}
export interface SurvivalPlayer {
player: SurvivalPerson
stats: SurvivalStats
titles: {
text: string
color: (string | null)
stat: SurvivalStat
rank: number
}[]
clan?: ClanName
}
export interface SurvivalStats {
[k: string]: {
value: number
rank: (number | null)
} | undefined
}
export interface OwnSurvivalStats {
players: {
steamId: SteamId
name: string
stats: SurvivalStats
}[]
total: {
[k: string]: number | undefined
}
}
export interface SurvivalLinkTest {
ok: boolean
protocol: number
code?: string
reason?: string
hello?: {

}
}
export interface SurvivalServerEvents {
events: SurvivalStoredEvent[]
next?: number
}
export interface SurvivalStoredWorldWiped {
id: number
kind: "world.wiped"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
saveId: number
previousSaveId?: (number | null)
saveProtocol?: (number | null)
previousProtocol?: (number | null)
blueprints: ("kept" | "wiped" | "unknown")
level?: (string | null)
seed?: ((string | null) | number)
size?: (number | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPluginLoaded {
id: number
kind: "plugin.loaded"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
name: string
title?: (string | null)
version?: (string | null)
author?: (string | null)
helperId?: (string | null)
permissions?: (string[] | null)
reason?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPluginUnloaded {
id: number
kind: "plugin.unloaded"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
name: string
title?: (string | null)
version?: (string | null)
author?: (string | null)
helperId?: (string | null)
permissions?: (string[] | null)
reason?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPluginFailed {
id: number
kind: "plugin.failed"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
name: string
errors: {
line?: (number | null)
column?: (number | null)
code?: (string | null)
message: string
}[]
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPlayerJoined {
id: number
kind: "player.joined"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
steamId: string
name: string
connectedAt: number
first?: (boolean | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPlayerLeft {
id: number
kind: "player.left"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
steamId: string
name: string
connectedAt: number
reason?: (string | null)
sessionSec?: (number | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPlayerRespawned {
id: number
kind: "player.respawned"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
steamId: string
name: string
x?: (number | null)
z?: (number | null)
grid?: (string | null)
bag?: (boolean | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPlayerDied {
id: number
kind: "player.died"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
victim: {
steamId: string
name: string
}
killer: {
kind: ("player" | "npc" | "animal" | "entity" | "self" | "environment")
steamId?: (string | null)
name?: (string | null)
profile?: (string | null)
prefab?: (string | null)
}
weapon?: (string | null)
distance?: (number | null)
headshot?: (boolean | null)
sleeping?: (boolean | null)
x?: (number | null)
z?: (number | null)
grid?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPlayerChat {
id: number
kind: "player.chat"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
steamId: string
name: string
channel: "global"
message: string
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredPlayerReported {
id: number
kind: "player.reported"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
reporter: {
steamId: string
name: string
}
target?: ({
steamId: string
name: string
} | null)
subject?: (string | null)
message?: (string | null)
type?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredClanCreated {
id: number
kind: "clan.created"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
clanId: string
created: string
name: string
actor?: ({
steamId: string
name: string
} | null)
member?: ({
steamId: string
name: string
} | null)
field?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredClanDisbanded {
id: number
kind: "clan.disbanded"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
clanId: string
created: string
name: string
actor?: ({
steamId: string
name: string
} | null)
member?: ({
steamId: string
name: string
} | null)
field?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredClanMemberAdded {
id: number
kind: "clan.member.added"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
clanId: string
created: string
name: string
actor?: ({
steamId: string
name: string
} | null)
member?: ({
steamId: string
name: string
} | null)
field?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredClanMemberLeft {
id: number
kind: "clan.member.left"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
clanId: string
created: string
name: string
actor?: ({
steamId: string
name: string
} | null)
member?: ({
steamId: string
name: string
} | null)
field?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredClanMemberKicked {
id: number
kind: "clan.member.kicked"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
clanId: string
created: string
name: string
actor?: ({
steamId: string
name: string
} | null)
member?: ({
steamId: string
name: string
} | null)
field?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredClanChanged {
id: number
kind: "clan.changed"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
clanId: string
created: string
name: string
actor?: ({
steamId: string
name: string
} | null)
member?: ({
steamId: string
name: string
} | null)
field?: (string | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredSurvivalNpcDied {
id: number
kind: "survival.npc.died"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
netId: string
profile: string
placement?: (string | null)
name?: (string | null)
boss?: (boolean | null)
killer?: ({
steamId: string
name: string
} | null)
contributors?: ({
steamId: string
damage: number
}[] | null)
weapon?: (string | null)
distance?: (number | null)
x?: (number | null)
z?: (number | null)
grid?: (string | null)
alive?: (number | null)
runId?: (number | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredSurvivalNpcHealth {
id: number
kind: "survival.npc.health"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
netId: string
profile: string
placement?: (string | null)
health: number
maxHealth: number
percent: number
step: number
runId?: (number | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredWorldExpired {
id: number
kind: "world.expired"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
what: ("zone" | "npc" | "placement" | "participation" | "kit" | "grant")
ref: string
reason: ("wipe" | "boot" | "timeout" | "removed")
at: number
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredLeaseExpired {
id: number
kind: "lease.expired"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
leaseId: string
what: string
ref: string
openedAt?: (number | null)
leaseUntil?: (number | null)
runId?: (number | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredConfigOutcome {
id: number
kind: "config.outcome"
t: number
bootId: (string | null)
saveId: (number | null)
payload: {
writeId: string
plugin: string
ok: boolean
phase: ("write" | "unload" | "load")
beforeHash?: (string | null)
afterHash?: (string | null)
rolledBack?: (boolean | null)
}
createdAt: string
hiddenAt: (string | null)
}
export interface SurvivalStoredOther {
id: number
kind: string
t: number
bootId: (string | null)
saveId: (number | null)
payload: {

}
createdAt: string
hiddenAt: (string | null)
}
export interface PermissionsOverview {
groups: PermissionGroup[]
servers: PermissionSync[]
counts: {
groups: number
grants: number
players: number
}
}
export interface PermissionGroup {
id: number
name: string
title: string
rank: number
parent: (string | null)
permissions: string[]
scope: PermissionScope
managed: boolean
protected: boolean
memberCount: number
revision: Revision
updatedAt: string
updatedBy: (string | null)
}
export interface PermissionScope {
all: boolean
serverIds: number[]
}
export interface PermissionSync {
serverId: number
state: PermissionSyncState
dirtyReason: (string | null)
error: (string | null)
lastPushAt: (string | null)
lastOkAt: (string | null)
inventoryAt: (string | null)
pendingOps: number
unknownPermissions: string[]
drift: PermissionDrift
}
export interface PermissionDrift {
extra: PermissionEntry[]
missing: PermissionEntry[]
}
export interface PermissionEntry {
subjectKind: ("user" | "group")
subject: string
kind: ("permission" | "membership" | "group")
value: string
}
export interface PermissionCatalog {
permissions: {
name: string
plugin: (string | null)
servers: number[]
}[]
}
export interface PermissionGroupDeleted {
id: number
detached: number
}
export interface PermissionsExplained {
direct: PermissionGrant[]
groups: PermissionGrant[]
effective: {
node: string
via: string[]
servers: {
id: number
live: boolean
}[]
}[]
}
export interface PermissionGrant {
id: number
kind: ("permission" | "membership")
steamId: SteamId
userId: (number | null)
value: string
scope: PermissionScope
source: ("manual" | "event" | "store" | "system")
reason: (string | null)
expiresAt: (string | null)
state: ("active" | "expiring" | "expired" | "revoked")
revision: Revision
createdAt: string
createdBy: (string | null)
revokedAt: (string | null)
revokedBy: (string | null)
}
export interface PermissionsSynced {
results: {
serverId: number
state: PermissionSyncState
ops: number
diff?: {
op: ("grant" | "revoke" | "join" | "leave" | "group" | "remove")
subjectKind: ("user" | "group")
subject: string
kind: ("permission" | "membership" | "group")
value: string
}[]
}[]
}
export interface PermissionInventory {
inventory: ({
groups: ToldGroup[]
permissions: ToldPermission[]
users: ToldUser[]
} | null)
drift: PermissionDrift
inventoryAt: (string | null)
}
export interface ToldGroup {
name: string
title?: (string | null)
rank?: (number | null)
parent?: (string | null)
permissions: string[]
}
export interface ToldPermission {
name: string
plugin?: (string | null)
}
export interface ToldUser {
steamId: string
name?: (string | null)
groups: string[]
permissions: string[]
}
export interface PermissionGrantPage {
grants: PermissionGrant[]
total: number
}
export interface SurvivalConfigFiles {
files: SurvivalConfigFile[]
online: boolean
}
export interface SurvivalConfigFile {
plugin: string
file: string
loaded: boolean
version: (string | null)
bytes: number
hash: string
modifiedAt: (string | null)
editable: boolean
problem: ("too-large" | "unreadable" | "protected" | null)
}
export interface SurvivalConfigDocument {
plugin: string
file: string
text: string
hash: string
readAt: string
loaded: boolean
secretsMasked: string[]
}
export interface SurvivalConfigAccepted {
writeId: string
state: ("reloading" | "settled" | "lost")
settleBy: string
}
export interface SurvivalConfigWrites {
writes: SurvivalConfigWrite[]
next?: number
}
export interface SurvivalZones {
presets: ZonePreset[]
flags: {
name: string
group: string
destructive: boolean
}[]
open: ZoneLease[]
}
export interface ZonePreset {
id: number
key: string
name: string
shape: ({
kind: "sphere"
radius: number
} | {
kind: "box"
x: number
y: number
z: number
})
rotation: number
flags: string[]
radiation: number
comfort: number
temperature: number
safeZone: boolean
enterMessage: (string | null)
leaveMessage: (string | null)
permission: (string | null)
ejectSpawns: (string | null)
ruleset: (string | null)
dome: ({
enabled: boolean
darkness: number
} | null)
maxDurationSec: number
color: (string | null)
servers: ("all" | number[])
revision: Revision
createdAt: string
updatedAt: string
updatedBy: (string | null)
}
export interface ZoneLease {
leaseId: string
serverId: number
presetKey: string
zoneId: string
at: ZonePlace
state: ("opening" | "open" | "closing" | "closed" | "expired" | "failed")
openedAt: string
leaseUntil: string
endedAt: (string | null)
reason: (string | null)
runId: (number | null)
stepId: (number | null)
}
export interface SurvivalTitlesHeld {
mode: ("first" | "all" | "upTo")
max: (number | null)
rules: SurvivalTitleRule[]
revision: Revision
push: SurvivalTitlesPush
holders: {
steamId: string
titles: {
text: string
color: (string | null)
stat: string
rank: number
}[]
}[]
}
export interface NpcOverview {
profiles: NpcProfile[]
factions: string[]
servers: NpcServer[]
}
export interface NpcProfile {
id: number
key: string
displayName: string
names: string[]
faction: (string | null)
health: number
kit: (string | null)
kits: string[]
wearItems: {
shortName: string
skinId: string
}[]
beltItems: {
shortName: string
amount: number
skinId: string
mods: string[]
ammo: (string | null)
}[]
behaviour: {
[k: string]: boolean | undefined
}
death: NpcDeath
boss: boolean
healthSteps: number[]
ranked: boolean
revision: number
state: "current"
updatedAt: string
updatedBy: (string | null)
push: NpcProfileReach[]
}
export interface NpcDeath {
dropWeaponPct?: number
wipeBeltPct?: number
wipeClothingPct?: number
rustLootPct?: number
lootSource?: (string | null)
lockedCratePct?: number
corpseMin?: number
}
export interface NpcProfileReach {
serverId: number
state: NpcReach
revision: (number | null)
at: (string | null)
error: (string | null)
}
export interface NpcServer {
id: number
npcApi: (number | null)
supported: boolean
dirty: boolean
state: NpcReach
}
export interface NpcProfileWithRevisions {
profile: NpcProfile
revisions: NpcRevision[]
}
export interface NpcRevision {
revision: number
state: "replaced"
origin: ("site" | "server")
serverId: (number | null)
document: {

}
updatedAt: (string | null)
updatedBy: (string | null)
replacedAt: string
}
export interface NpcsPushed {
results: {
serverId: number
state: NpcReach
error: (string | null)
}[]
}
export interface NpcPlacements {
placements: NpcPlacement[]
live: boolean
}
export interface NpcPlacement {
id: number
serverId: number
profileKey: string
name: string
anchor: ("world" | "monument")
monument: (string | null)
x: number
y: number
z: number
rotation: number
count: number
radius: number
respawnSec: (number | null)
enabled: boolean
onWipe: ("keep" | "drop")
live: NpcPlacementLife
revision: Revision
createdAt: string
updatedAt: string
updatedBy: (string | null)
}
export interface NpcPlacementLife {
spawned: boolean
alive: (number | null)
expected: (number | null)
lastSpawnAt: (string | null)
lastDeathAt: (string | null)
problem: (string | null)
}
export interface NpcsRespawned {
placement: NpcPlacement
spawned: number
}
export interface SurvivalReportPage {
reports: SurvivalReport[]
counts: {
open: number
seen: number
closed?: number
}
next?: number
}
