import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import { isObject } from "../../platform/bridge/json-text.ts";
import { siteName } from "../../platform/site-name.ts";
import type { PayloadFields } from "../../shard/visibility/view.ts";
import { type HookStream, hookStreams, findStreamLabel } from "./hook-streams.ts";

/** Discord's limits, in characters. */
const maxLengths = {
  content: 2_000,
  title: 256,
  description: 4_096,
  name: 256,
  value: 1_024,
} as const;

/**
 * Returns the body for a Discord webhook. The message mentions nobody, even if a name in it looks like a mention.
 */
export function buildDiscordBody({
  stream,
  data,
  happenedAt,
}: Pick<WebhookDelivery, "stream" | "data" | "happenedAt">): string {
  const label = isHookStream(stream) ? findStreamLabel(stream) : `A test of ${siteName}`;
  return JSON.stringify({
    content: truncate(label, maxLengths.content),
    embeds: [{ ...embedOf(eventTexts(stream, data["event"]), label), timestamp: happenedAt }],
    allowed_mentions: { parse: [] },
  });
}

const isHookStream = (stream: string): stream is HookStream =>
  (hookStreams as readonly string[]).includes(stream);

const embedOf = ({ title, text, url, image, fields = {} }: EmbedTexts, label: string) => ({
  title: truncate(escapeMarkdown(title ?? label), maxLengths.title),
  ...(text && { description: truncate(escapeMarkdown(text), maxLengths.description) }),
  ...(url && { url }),
  ...(image?.startsWith("https://") && { image: { url: image } }),
  fields: Object.entries(fields).flatMap(([name, value]) =>
    value ? [{ name, value: truncate(escapeMarkdown(value), maxLengths.value), inline: true }] : [],
  ),
});

/** Players choose their names, so escape markup and links. */
const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\*_~`|<>[\]()#:@-]/g, (sign) => `\\${sign}`);

function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  // Do not cut within a surrogate pair, or between a backslash and its character.
  return `${text.slice(0, most - 1).replace(/(?:[\uD800-\uDBFF]|\\+)$/, "")}…`;
}

/** The texts of a Discord embed. */
interface EmbedTexts {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
  readonly image?: string | undefined;
  readonly fields?: Readonly<Record<string, string | undefined>>;
}

/** Returns an event's texts. A hidden event has none, so that only the stream's label is shown. */
function eventTexts(stream: string, event: unknown): EmbedTexts {
  if (!isObject(event)) return {};
  const payload = isObject(event["payload"]) ? event["payload"] : event;
  return Object.hasOwn(textsByStream, stream)
    ? (textsByStream[stream]?.(payload, event) ?? {})
    : {};
}

/** CATALOGUE of the texts of each stream. */
const textsByStream: Readonly<
  Record<string, (payload: PayloadFields, event: PayloadFields) => EmbedTexts>
> = {
  "news.post": (post) => ({
    title: textOf(post["title"]),
    text: textOf(post["excerpt"]),
    url: textOf(post["url"]),
    image: textOf(post["image_url"]),
  }),
  "server.status": (payload, { kind }) => ({
    title: kind === "server.started" ? "The server has started" : "The server is stopping",
    text: textOf(payload["reason"]),
  }),
  "idoc.warning": (house) => ({
    title: "A house is in danger of collapsing",
    fields: { Name: textOf(house["name"]), Region: textOf(house["region"]), Place: placeOf(house) },
  }),
  "champ.start": (altar) => ({
    title: `A champion spawn begins: ${textOf(altar["name"]) ?? textOf(altar["type"]) ?? "unnamed"}`,
    fields: {
      Type: textOf(altar["type"]),
      Place: isObject(altar["location"]) ? placeOf(altar["location"]) : undefined,
    },
  }),
  "governor.election": governorWords,
  "site.notice": runWords,
  "event.started": eventWords,
  "event.completed": eventWords,
  "event.run": eventWords,
};

function eventWords(run: PayloadFields): EmbedTexts {
  const isOver = run["kind"] === "event.completed";
  return { ...runWords(run), text: isOver ? "The event has ended." : "The event has begun." };
}

function runWords(run: PayloadFields): EmbedTexts {
  return { title: textOf(run["title"]), url: textOf(run["eventUrl"]) };
}

function governorWords(payload: PayloadFields, { kind }: PayloadFields): EmbedTexts {
  const city = textOf(payload["city"]) ?? "a city";
  if (kind === "governor.result") {
    const { elect, governor } = payload;
    const who = [elect, governor].find(isObject);
    return { title: `${city} has elected a governor`, text: textOf(who?.["name"]) };
  }
  const what = payload["phase"] === "voting" ? "The vote has begun" : "Candidates can be nominated";
  return { title: `${what} in ${city}`, fields: { Until: timeOf(payload["until"]) } };
}

const textOf = (given: unknown): string | undefined =>
  typeof given === "string" && given !== "" ? given : undefined;

const timeOf = (ms: unknown): string | undefined =>
  typeof ms === "number" ? new Date(ms).toUTCString() : undefined;

function placeOf({ map, x, y }: PayloadFields): string | undefined {
  const at = typeof x === "number" && typeof y === "number" ? `${x}, ${y}` : undefined;
  return [textOf(map), at].filter(Boolean).join(" ") || undefined;
}
