import type { Role } from "../../models/auth/user.ts";

/** A domain that produces announcements, by its folder in `shared/`. */
export type AnnouncingDomain = "content" | "shard" | "survival" | "events" | "appeals";

interface PublicStream<Feature extends string> {
  readonly kind: "public";
  readonly toldBy: AnnouncingDomain;
  readonly label: string;
  /** The shard feature that the stream belongs to. Only users who may see the feature receive messages. */
  readonly feature?: Feature;
}

interface PersonalStream<Feature extends string> extends Omit<PublicStream<Feature>, "kind"> {
  readonly kind: "personal";
}

/** A stream for staff. Its announcements are always sent to individual users. */
interface StaffStream {
  readonly kind: "staff";
  readonly toldBy: AnnouncingDomain;
  readonly label: string;
  readonly roles: readonly Role[];
}

type Spec<Feature extends string> = PublicStream<Feature> | PersonalStream<Feature> | StaffStream;

const open = <Feature extends string = never>(
  domain: AnnouncingDomain,
  label: string,
  feature?: Feature,
): PublicStream<Feature> => ({
  kind: "public",
  toldBy: domain,
  label,
  ...(feature && { feature }),
});

const personal = <Feature extends string = never>(
  domain: AnnouncingDomain,
  label: string,
  feature?: Feature,
): PersonalStream<Feature> => ({
  ...open(domain, label, feature),
  kind: "personal",
});

const forStaff = (
  domain: AnnouncingDomain,
  label: string,
  roles: readonly Role[],
): StaffStream => ({
  kind: "staff",
  toldBy: domain,
  label,
  roles,
});

/**
 * CATALOGUE of streams of announcements. `push` of a kind of shard event, and `registrations` of
 * survival servers, refer to these names.
 */
export const pushStreams = {
  "news.post": open("content", "News"),
  "server.status": open("shard", "The server starts or stops", "status"),
  "idoc.warning": open("shard", "A house is in danger of collapsing", "houses"),
  "champ.start": open("shard", "A champion spawn begins", "champions"),
  "governor.election": open("shard", "Elections of governors", "governors"),
  "site.notice": open("events", "Notices of the staff"),
  "event.started": open("events", "An event begins"),
  "event.completed": open("events", "An event ends"),
  "vendor.sale": personal("shard", "One of your vendors sold something"),
  "house.idoc": personal("shard", "A house of yours is in danger of collapsing"),
  "account.login": personal("shard", "A game account of yours signed in"),
  "appeal.update": personal("appeals", "An appeal of yours has a new message or a decision"),
  "market.match": personal(
    "shard",
    "An item on the market matches one of your saved searches",
    "market",
  ),
  "survival.server": open(
    "survival",
    "A survival server goes online or offline, a boss dies, or a player takes the lead in kills",
  ),
  "survival.wipe": open("survival", "A survival server was wiped or will be soon"),
  "survival.account": personal("survival", "Your permissions and kits on the survival servers"),
  "survival.staff": forStaff(
    "survival",
    "Plugins, configurations and changes on the survival servers",
    ["admin", "moderator"],
  ),
  "survival.report": forStaff("survival", "A player of a survival server reports something", [
    "admin",
    "moderator",
  ]),
} as const;

export type PushStream = keyof typeof pushStreams;

type StreamFeature = NonNullable<
  Extract<(typeof pushStreams)[PushStream], { feature?: string }>["feature"]
>;

export type PushStreamSpec = Spec<StreamFeature>;

type StreamOf<Kind> = {
  [Name in PushStream]: (typeof pushStreams)[Name]["kind"] extends Kind ? Name : never;
}[PushStream];

export type PublicPushStream = StreamOf<"public">;
export type PersonalPushStream = StreamOf<"personal">;

export const pushStreamNames = Object.keys(pushStreams) as PushStream[];

/** Returns true if the stream is in the catalog. Names that an older release has stored may be missing. */
export const isPushStream = (name: string): name is PushStream => Object.hasOwn(pushStreams, name);

export const streamOf = (name: PushStream): PushStreamSpec => pushStreams[name];

export function canSubscribe(name: PushStream, role: Role): boolean {
  const spec = streamOf(name);
  return spec.kind !== "staff" || spec.roles.includes(role);
}

/** The roles of restricted streams, for statements about many users. */
export const rolesOfStreams: Readonly<Record<string, readonly Role[]>> = Object.fromEntries(
  Object.entries<PushStreamSpec>(pushStreams).flatMap(([name, spec]) =>
    spec.kind === "staff" ? [[name, spec.roles]] : [],
  ),
);

const minute = 60_000;

/** Lifetime of an announcement in milliseconds. A relay stores a message for an offline device that long. */
export const announcementTtlMs = (name: PushStream): number =>
  streamOf(name).kind === "public" ? 15 * minute : 24 * 60 * minute;
