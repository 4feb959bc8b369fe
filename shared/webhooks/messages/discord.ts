import type { WebhookDelivery } from "../../../models/webhooks/webhook-delivery.ts";
import { siteName } from "../../platform/site-name.ts";
import { type HookStream, hookStreams, labelOf } from "../catalogue/hook-streams.ts";
import { type EmbedWords, wordsOf } from "./embed-words.ts";

/** Characters that Discord takes. */
const longest = {
  content: 2_000,
  title: 256,
  description: 4_096,
  name: 256,
  value: 1_024,
} as const;

/** What a webhook of Discord takes. Nobody is called by it, whatever names are in it. */
export function discordBodyOf({
  stream,
  data,
  happenedAt,
}: Pick<WebhookDelivery, "stream" | "data" | "happenedAt">): string {
  const label = isHookStream(stream) ? labelOf(stream) : `A test of ${siteName}`;
  return JSON.stringify({
    content: cut(label, longest.content),
    embeds: [{ ...embedOf(wordsOf(stream, data["event"]), label), timestamp: happenedAt }],
    allowed_mentions: { parse: [] },
  });
}

const isHookStream = (stream: string): stream is HookStream =>
  (hookStreams as readonly string[]).includes(stream);

const embedOf = ({ title, text, url, image, fields = {} }: EmbedWords, label: string) => ({
  title: cut(escapeMarkdown(title ?? label), longest.title),
  ...(text && { description: cut(escapeMarkdown(text), longest.description) }),
  ...(url && { url }),
  ...(image?.startsWith("https://") && { image: { url: image } }),
  fields: Object.entries(fields).flatMap(([name, value]) =>
    value ? [{ name, value: cut(escapeMarkdown(value), longest.value), inline: true }] : [],
  ),
});

/** Names come from players: they are shown as they are written, and lead nowhere. */
const escapeMarkdown = (text: string): string =>
  text.replaceAll(/[\\*_~`|<>[\]()#:@-]/g, (sign) => `\\${sign}`);

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // No sign is halved, and none is escaped by what is cut off.
  return `${text.slice(0, most - 1).replace(/(?:[\uD800-\uDBFF]|\\+)$/, "")}…`;
}
