import type { Schema } from "../http/json-schema.ts";

const page = (text: string): Schema => ({
  schema: { type: "string" },
  example: `<!doctype html>\n<html lang="en">\n<title>${text}</title>\n<p>${text}</p>\n</html>\n`,
});
const lines = (...given: readonly string[]): Schema => ({
  schema: { type: "string" },
  example: given.join("\n"),
});
const bytes: Schema = { schema: { type: "string", format: "binary" } };

/** CATALOGUE of answers other than JSON. Binary types have no example. */
const media: Readonly<Record<string, Schema>> = {
  "text/html": page("The live page of the queues"),
  "application/rss+xml": lines(
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0"><channel>',
    "<title>Guildhall</title><link>https://example.org/</link>",
    "<item><title>The harbour</title><link>https://example.org/news/the-harbour</link></item>",
    "</channel></rss>",
  ),
  "application/atom+xml": lines(
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    "<title>Guildhall</title><id>https://example.org/</id>",
    "<entry><title>The harbour</title><id>tag:example.org,2026:post/7</id></entry>",
    "</feed>",
  ),
  "text/calendar": lines(
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "BEGIN:VEVENT",
    "UID:7-20261205T190000Z@example.org",
    "DTSTART:20261205T190000Z",
    "SUMMARY:A champion evening",
    "END:VEVENT",
    "END:VCALENDAR",
  ),
  "image/png": bytes,
  "image/jpeg": bytes,
};

/** @throws if the catalog does not have the media type */
export function findMediaTypeSchema(type: string): Schema {
  const found = media[type];
  if (!found) throw new Error(`there is no example of ${type} in the description's catalogue`);
  return found;
}

/** A refusal as shown to a browser that navigates. */
export const refusalPageSchema: Schema = page("The request was refused. Sign in to continue.");
