import Joi from "joi";

import { standardLinkSchemes } from "./link-schemes.ts";
import { mailVariables } from "./mail-variables.ts";
import { pushVariables } from "./push-variables.ts";
import { sessionVariables } from "./session-variables.ts";
import { ssoVariables } from "./sso-variables.ts";
import { survivalVariables } from "./survival-variables.ts";
import { throttleVariables } from "./throttle-variables.ts";
import {
  baseUrlSchema,
  durationSchema,
  folderPathSchema,
  keyringSchema,
  linkSchemeSchema,
  listValueSchema,
  originSchema,
  passwordSchema,
  trustProxySchema,
} from "./values.ts";
import { requireAtLeast, defineVariable, type Variable } from "./variable.ts";

const requireKeysSet = (keys: ReadonlyMap<string, Buffer>): string | undefined =>
  keys.size === 0 ? "set it: randomly generated keys are valid on one machine only" : undefined;

/** CATALOGUE of the environment. `.env.example` and `docs/operate/configuration.md` match it (tested). */
export const variables = {
  NODE_ENV: defineVariable(
    Joi.string<"development" | "production" | "test">()
      .valid("development", "production", "test")
      .default("development"),
    "mode of the process: development, production or test; production adds checks of the other " +
      "variables",
  ),
  PORT: defineVariable(
    Joi.number().port().default(3000),
    "port on which a web process serves the public API",
  ),
  HOST: defineVariable(
    Joi.string().default("0.0.0.0"),
    "IP address on which a web process serves the public API",
  ),
  INTERNAL_PORT: defineVariable(
    Joi.number().port().default(0),
    "port on which a process serves its health and metrics, a different one for each process of " +
      "a machine; with 0, each process chooses a free port, which its log and `npm run doctor` " +
      "show",
  ),
  INTERNAL_HOST: defineVariable(
    Joi.string().default("127.0.0.1"),
    "IP address on which a process serves its health and metrics",
  ),
  DATA_FOLDER: defineVariable(
    Joi.string().default(".data"),
    "folder for generated keys, and for the database that `npm start` and `npm run demo` create",
  ),
  DATABASE_URL: defineVariable(
    Joi.string()
      .uri({ scheme: ["postgres", "postgresql"] })
      .required(),
    "URL of the database, in PostgreSQL 16 or newer; if unset, `npm start` and `npm run demo` " +
      "start a PostgreSQL of their own",
  ),
  DATABASE_LISTEN_URL: defineVariable(
    Joi.string<string | undefined>().uri({ scheme: ["postgres", "postgresql"] }),
    "URL of a direct connection to the same database; set it only if DATABASE_URL leads to a " +
      "transaction pooler",
  ),
  DATABASE_POOL: defineVariable(
    Joi.number().integer().min(2).max(100).default(10),
    "largest number of connections in the pool of each process",
  ),
  DATABASE_TIMEOUT: defineVariable(
    durationSchema("20s"),
    "longest time that one SQL statement may take before it fails; a statement of a worker may " +
      "take 15 minutes",
    requireAtLeast("5s"),
  ),
  SCHEMA_WAIT: defineVariable(
    durationSchema("60s"),
    "how long a starting process waits for the database to be reachable and to have the schema " +
      "of this version",
  ),
  PUBLIC_BASE_URL: defineVariable(
    baseUrlSchema().default("http://localhost:3000"),
    "URL at which browsers reach the site; every link that the service creates begins with it",
    (value) => (value.startsWith("https:") ? undefined : "must be https in production"),
  ),
  ALLOWED_ORIGINS: defineVariable(
    listValueSchema(originSchema()).default([]),
    "origins whose pages may call the API with cookies, in addition to the origin of " +
      "PUBLIC_BASE_URL; separated by commas",
  ),
  CONTENT_IMAGE_PATHS: defineVariable(
    listValueSchema(folderPathSchema()).default([
      "/assets/",
      "/images/",
      "/img/",
      "/media/",
      "/static/",
      "/uploads/",
    ]),
    "folders of the web app from which posts and other texts may show images, separated by commas",
  ),
  CONTENT_LINK_SCHEMES: defineVariable(
    listValueSchema(linkSchemeSchema()).default([]),
    `URL schemes that links in texts may have in addition to ${standardLinkSchemes.join(", ")}; separated by commas`,
  ),
  CONSOLE: defineVariable(
    Joi.string<"on" | "off">().valid("on", "off").default("on"),
    "whether web processes serve the console for staff at /console and /api/queues",
  ),
  TRUST_PROXY: defineVariable(
    trustProxySchema().default(false),
    "number of trusted proxies that each request passes through, or a list of their IP addresses " +
      "and networks; the API accepts X-Forwarded-For only from these proxies",
  ),
  LOG_LEVEL: defineVariable(
    Joi.string()
      .valid("fatal", "error", "warn", "info", "debug", "trace", "silent")
      .default("info"),
    "lowest level of the messages that are logged; silent turns the log off",
  ),
  ADMIN_USERNAME: defineVariable(
    Joi.string().min(3).max(32).default("admin"),
    "user name with which the first administrator is created",
  ),
  ADMIN_PASSWORD: defineVariable(
    passwordSchema(),
    "password of the first administrator; if unset, a random password is generated and printed " +
      "once",
  ),
  DEMO_PASSWORD: defineVariable(
    passwordSchema(),
    "password of the demo's accounts; if unset, a random password is generated and printed",
    (value) => (value === undefined ? undefined : "the demo is not for production"),
  ),
  JWT_KEYS: defineVariable(
    keyringSchema(),
    "keys `id:base64` (32 bytes or more) that sign web sessions and access tokens, separated by " +
      "commas; the first key signs new ones, every key verifies",
    requireKeysSet,
  ),
  SECRETS_KEYS: defineVariable(
    keyringSchema(32),
    "keys `id:base64` (32 bytes) that encrypt stored secrets, separated by commas; the first " +
      "key encrypts, every key decrypts",
    requireKeysSet,
  ),
  PASSWORD_PEPPERS: defineVariable(
    keyringSchema(),
    "peppers `id:base64` (32 bytes or more) that are mixed into password hashes, separated by " +
      "commas; new hashes use the first pepper, every pepper verifies",
  ),
  BCRYPT_COST: defineVariable(
    Joi.number().integer().min(4).max(15).default(12),
    "bcrypt cost of new password hashes; each step doubles the time of a sign-in, and a lower " +
      "cost saves time only when no stored hash has a higher cost any more",
    (value) => (value < 10 ? "must be 10 or more in production" : undefined),
  ),
  COOKIE_SECURE: defineVariable(
    Joi.string<"auto" | "true" | "false">().valid("auto", "true", "false").default("auto"),
    "whether cookies have the attribute Secure; with auto, they have it if PUBLIC_BASE_URL is " +
      "https",
    (value) => (value === "false" ? "cookies must be Secure in production" : undefined),
  ),
  SITE_ABBREVIATION: defineVariable(
    Joi.string()
      .pattern(/^[A-Za-z0-9]{1,16}$/)
      .messages({ "string.pattern.base": "must be 1 to 16 ASCII letters and digits" })
      .default("gh"),
    "short name of the site, 1 to 16 letters and digits; the name of the cookie of trusted " +
      "browsers begins with it, so after a change no browser is trusted any more",
  ),
  ...sessionVariables,
  ...ssoVariables,
  ...survivalVariables,
  SSE_RECHECK: defineVariable(
    durationSchema("30s"),
    "how often the API checks that the session of an open event stream is still valid",
    requireAtLeast("5s"),
  ),
  SSE_MAX_PER_IP: defineVariable(
    Joi.number().integer().min(1).default(20),
    "largest number of event streams that one IP address may hold open on one process",
  ),
  SSE_MAX_PER_NETWORK: defineVariable(
    Joi.number().integer().min(1).default(1000),
    "largest number of event streams that all addresses of one IPv6 /48 or IPv4 /24 together may " +
      "hold open on one process",
  ),
  SSE_MAX: defineVariable(
    Joi.number().integer().min(1).default(8000),
    "largest number of event streams that one process holds open",
  ),
  EVENT_RETENTION_CHATTY: defineVariable(
    durationSchema("24h"),
    "how long the events `presence.*` and `server.heartbeat` of the shard are kept",
    requireAtLeast("1h"),
  ),
  EVENT_RETENTION_LONG: defineVariable(
    durationSchema("365d"),
    "how long the events `account.*`, `admin.audit` and `vendor.sale` of the shard are kept",
    requireAtLeast("1h"),
  ),
  EVENT_RETENTION: defineVariable(
    durationSchema("90d"),
    "how long all other events of the shard are kept",
    requireAtLeast("1h"),
  ),
  ACTIVITY_RETENTION: defineVariable(
    durationSchema("730d"),
    "how long entries of the activity log are kept",
    requireAtLeast("30d"),
  ),
  ATLAS_PATH: defineVariable(
    Joi.string<string | undefined>(),
    "folder of the game server's files from which the spawn atlas is imported, unless an " +
      "administrator has set a different path",
  ),
  CLILOC_PATH: defineVariable(
    Joi.string<string | undefined>(),
    "cliloc file of the game client, or the folder that contains it; while the link to the shard " +
      "is off, item names are imported from it, unless an administrator has set a different path",
  ),
  ...mailVariables,
  ...pushVariables,
  ...throttleVariables,
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof variables;
