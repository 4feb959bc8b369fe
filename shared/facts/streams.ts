import type { Role } from "../../models/auth/user.ts";

/** A domain that tells facts: the name of its folder in `shared/`. */
export type Teller = "content" | "shard" | "survival" | "events" | "appeals";

interface PublicStream<Feature extends string> {
  readonly kind: "public";
  readonly toldBy: Teller;
  readonly label: string;
  /** The shard's feature it tells of: only who reaches that is told. */
  readonly feature?: Feature;
}

interface PersonalStream<Feature extends string> extends Omit<PublicStream<Feature>, "kind"> {
  readonly kind: "personal";
}

/** For those who run the site, however the rest of a stream is: each is told alone. */
interface StaffStream {
  readonly kind: "staff";
  readonly toldBy: Teller;
  readonly label: string;
  /** Who may want it. */
  readonly roles: readonly Role[];
}

type Spec<Feature extends string> = PublicStream<Feature> | PersonalStream<Feature> | StaffStream;

const open = <Feature extends string = never>(
  toldBy: Teller,
  label: string,
  feature?: Feature,
): PublicStream<Feature> => ({
  kind: "public",
  toldBy,
  label,
  ...(feature && { feature }),
});

const personal = <Feature extends string = never>(
  toldBy: Teller,
  label: string,
  feature?: Feature,
): PersonalStream<Feature> => ({
  ...open(toldBy, label, feature),
  kind: "personal",
});

const forStaff = (toldBy: Teller, label: string, roles: readonly Role[]): StaffStream => ({
  kind: "staff",
  toldBy,
  label,
  roles,
});

/**
 * CATALOGUE of streams of announcements. `push` of a kind of shard event, and `registrations` of survival
 * servers, name the streams of their facts. Push messages and webhooks are made from the announcements.
 */
export const streams = {
  "news.post": open("content", "News"),
  "server.status": open("shard", "The server starts or stops", "status"),
  "idoc.warning": open("shard", "A house is in danger of collapsing", "houses"),
  "champ.start": open("shard", "A champion spawn begins", "champions"),
  "governor.election": open("shard", "Elections of governors", "governors"),
  "site.notice": open("events", "Notices of the staff"),
  "event.started": open("events", "An event begins"),
  "event.completed": open("events", "An event is over"),
  "vendor.sale": personal("shard", "One of your vendors sold something"),
  "house.idoc": personal("shard", "A house of yours is in danger of collapsing"),
  "account.login": personal("shard", "A game account of yours signed in"),
  "appeal.update": personal("appeals", "An appeal of yours moved on"),
  "market.match": personal("shard", "The market has what you search for", "market"),
  "survival.server": open(
    "survival",
    "A survival server comes or goes, a boss dies, somebody takes the lead",
  ),
  "survival.wipe": open("survival", "A survival server is wiped, or soon will be"),
  "survival.account": personal(
    "survival",
    "A permission or a kit of yours on the survival servers",
  ),
  "survival.staff": forStaff(
    "survival",
    "Plugins, configurations and changes on the survival servers",
    ["admin", "moderator"],
  ),
} as const;

export type PushStream = keyof typeof streams;

/** The features that streams tell of. */
type StreamFeature = NonNullable<
  Extract<(typeof streams)[PushStream], { feature?: string }>["feature"]
>;

export type StreamSpec = Spec<StreamFeature>;

type StreamOf<Kind> = {
  [Name in PushStream]: (typeof streams)[Name]["kind"] extends Kind ? Name : never;
}[PushStream];

export type PublicPushStream = StreamOf<"public">;
export type PersonalPushStream = StreamOf<"personal">;

/** In the catalogue's order. */
export const streamNames = Object.keys(streams) as PushStream[];

/** Whether a stream stands in the catalogue: an older release may have known others. */
export const isStream = (name: string): name is PushStream => Object.hasOwn(streams, name);

export const streamOf = (name: PushStream): StreamSpec => streams[name];

/** Whether somebody of a role may want a stream. */
export function mayWant(name: PushStream, role: Role): boolean {
  const spec = streamOf(name);
  return spec.kind !== "staff" || spec.roles.includes(role);
}

/** The roles of the streams that not everybody may want, for statements that judge many users. */
export const rolesOfStreams: Readonly<Record<string, readonly Role[]>> = Object.fromEntries(
  Object.entries<StreamSpec>(streams).flatMap(([name, spec]) =>
    spec.kind === "staff" ? [[name, spec.roles]] : [],
  ),
);

const minute = 60_000;

/** How long something is news, and a relay keeps its message for a device that is away. */
export const newsMs = (name: PushStream): number =>
  streamOf(name).kind === "public" ? 15 * minute : 24 * 60 * minute;
