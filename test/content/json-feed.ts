import { Ajv } from "ajv";
import addFormats from "ajv-formats";

const text = { type: "string", minLength: 1 };
const address = { type: "string", format: "uri" };
const moment = { type: "string", format: "date-time" };
/** Extensions are objects whose names start with an underscore. */
const extensions = { patternProperties: { "^_[^.]": { type: "object" } } };

const author = {
  type: "object",
  properties: { name: text, url: address, avatar: address },
  minProperties: 1,
  ...extensions,
  additionalProperties: false,
};
const authors = { type: "array", items: author };

const attachment = {
  type: "object",
  required: ["url", "mime_type"],
  properties: {
    url: address,
    mime_type: { type: "string", pattern: "^[\\w.+-]+/[\\w.+-]+$" },
    title: text,
    size_in_bytes: { type: "number", minimum: 0 },
    duration_in_seconds: { type: "number", minimum: 0 },
  },
  ...extensions,
  additionalProperties: false,
};

const item = {
  type: "object",
  required: ["id"],
  anyOf: [{ required: ["content_html"] }, { required: ["content_text"] }],
  properties: {
    id: text,
    url: address,
    external_url: address,
    title: { type: "string" },
    content_html: { type: "string" },
    content_text: { type: "string" },
    summary: { type: "string" },
    image: address,
    banner_image: address,
    date_published: moment,
    date_modified: moment,
    authors,
    tags: { type: "array", items: { type: "string" } },
    language: text,
    attachments: { type: "array", items: attachment },
  },
  ...extensions,
  additionalProperties: false,
};

/** The schema of jsonfeed.org/version/1.1. The deprecated `author` is left out. */
const feed = {
  type: "object",
  required: ["version", "title", "items"],
  properties: {
    version: { const: "https://jsonfeed.org/version/1.1" },
    title: text,
    home_page_url: address,
    feed_url: address,
    description: { type: "string" },
    user_comment: { type: "string" },
    next_url: address,
    icon: address,
    favicon: address,
    authors,
    language: text,
    expired: { type: "boolean" },
    hubs: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "url"],
        properties: { type: text, url: address },
      },
    },
    items: { type: "array", items: item },
  },
  ...extensions,
  additionalProperties: false,
};

const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false });
addFormats.default(ajv);
const isFeed = ajv.compile(feed);

/** Returns the schema errors of a JSON Feed, and an error if two items have the same id. */
export function faultsOfJsonFeed(body: unknown): string[] {
  isFeed(body);
  const faults = (isFeed.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${JSON.stringify(params)}`.trim(),
  );
  const { items = [] } = body as { items?: { id?: unknown }[] };
  const ids = items.map(({ id }) => id);
  return new Set(ids).size === ids.length ? faults : [...faults, "/items an id comes twice"];
}
