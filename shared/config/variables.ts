import Joi from "joi";

import { standardLinkSchemes } from "./link-schemes.ts";
import { mailVariables } from "./mail-variables.ts";
import { pushVariables } from "./push-variables.ts";
import { sessionVariables } from "./session-variables.ts";
import { ssoVariables } from "./sso-variables.ts";
import { survivalVariables } from "./survival-variables.ts";
import { throttleVariables } from "./throttle-variables.ts";
import {
  baseUrl,
  duration,
  folderPath,
  keyring,
  linkScheme,
  listOf,
  origin,
  password,
  trustProxy,
} from "./values.ts";
import { atLeast, variable, type Variable } from "./variable.ts";

const madeAtRandom = (keys: ReadonlyMap<string, Buffer>): string | undefined =>
  keys.size === 0 ? "set it: randomly generated keys are valid on one machine only" : undefined;

/** CATALOGUE of the environment. `.env.example` and `docs/operate/configuration.md` follow it (tested). */
export const variables = {
  NODE_ENV: variable(
    Joi.string<"development" | "production" | "test">()
      .valid("development", "production", "test")
      .default("development"),
    "development, production or test; production adds checks of the other variables",
  ),
  PORT: variable(Joi.number().port().default(3000), "port of the public API"),
  HOST: variable(Joi.string().default("0.0.0.0"), "listen address of the public API"),
  INTERNAL_PORT: variable(
    Joi.number().port().default(0),
    "port of health and metrics, a different one for each process; with 0 a process picks a " +
      "free port, which its log and `npm run doctor` show",
  ),
  INTERNAL_HOST: variable(
    Joi.string().default("127.0.0.1"),
    "listen address of health and metrics",
  ),
  DATA_FOLDER: variable(
    Joi.string().default(".data"),
    "folder for generated keys, and for the database that `npm start` and `npm run demo` create",
  ),
  DATABASE_URL: variable(
    Joi.string()
      .uri({ scheme: ["postgres", "postgresql"] })
      .required(),
    "URL of a database in PostgreSQL 16 or newer; without it, `npm start` and `npm run demo` " +
      "start a PostgreSQL of their own",
  ),
  DATABASE_LISTEN_URL: variable(
    Joi.string<string | undefined>().uri({ scheme: ["postgres", "postgresql"] }),
    "URL of a direct connection to the same database; set it only if DATABASE_URL goes through " +
      "a transaction pooler",
  ),
  DATABASE_POOL: variable(
    Joi.number().integer().min(2).max(100).default(10),
    "largest number of connections in the pool of each process",
  ),
  DATABASE_TIMEOUT: variable(
    duration("20s"),
    "longest time that one statement may take before it fails; imports may take longer",
    atLeast("5s"),
  ),
  SCHEMA_WAIT: variable(
    duration("60s"),
    "how long a starting process waits for the database and its current schema",
  ),
  PUBLIC_BASE_URL: variable(
    baseUrl().default("http://localhost:3000"),
    "URL at which browsers reach the site; every link that the service creates begins with it",
    (value) => (value.startsWith("https:") ? undefined : "must be https in production"),
  ),
  ALLOWED_ORIGINS: variable(
    listOf(origin()).default([]),
    "origins that may call the API with cookies in addition to the origin of PUBLIC_BASE_URL, " +
      "separated by commas",
  ),
  CONTENT_IMAGE_PATHS: variable(
    listOf(folderPath()).default([
      "/assets/",
      "/images/",
      "/img/",
      "/media/",
      "/static/",
      "/uploads/",
    ]),
    "folders of the site from which posts and other texts may show images, separated by commas",
  ),
  CONTENT_LINK_SCHEMES: variable(
    listOf(linkScheme()).default([]),
    `URL schemes that links in texts may have in addition to ${standardLinkSchemes.join(", ")}; separated by commas`,
  ),
  TRUST_PROXY: variable(
    trustProxy().default(false),
    "number of trusted proxy hops, or addresses of the proxies, whose X-Forwarded-For is accepted",
  ),
  LOG_LEVEL: variable(
    Joi.string()
      .valid("fatal", "error", "warn", "info", "debug", "trace", "silent")
      .default("info"),
    "lowest level that is logged; silent turns the log off",
  ),
  ADMIN_USERNAME: variable(
    Joi.string().min(3).max(32).default("admin"),
    "user name of the first administrator",
  ),
  ADMIN_PASSWORD: variable(
    password(),
    "password of the first administrator; if unset, a random password is generated and printed " +
      "once",
  ),
  DEMO_PASSWORD: variable(
    password(),
    "password of the demo's accounts; if unset, a random password is generated and printed",
    (value) => (value === undefined ? undefined : "the demo is not for production"),
  ),
  JWT_KEYS: variable(
    keyring(),
    "keys `id:base64` (32 bytes or more) that sign sessions, separated by commas; the first key " +
      "signs, every key verifies",
    madeAtRandom,
  ),
  SECRETS_KEYS: variable(
    keyring(32),
    "keys `id:base64` (32 bytes) that encrypt stored secrets, separated by commas; the first " +
      "key encrypts, every key decrypts",
    madeAtRandom,
  ),
  PASSWORD_PEPPERS: variable(
    keyring(),
    "peppers `id:base64` (32 bytes or more) that are mixed into password hashes, separated by " +
      "commas; the first pepper is for new hashes, every pepper verifies",
  ),
  BCRYPT_COST: variable(
    Joi.number().integer().min(4).max(15).default(12),
    "cost of new password hashes; each step doubles the time of a sign-in, and a lower cost " +
      "saves time only after the last hash of a higher cost was renewed",
    (value) => (value < 10 ? "must be 10 or more in production" : undefined),
  ),
  COOKIE_SECURE: variable(
    Joi.string<"auto" | "true" | "false">().valid("auto", "true", "false").default("auto"),
    "whether cookies are marked Secure; auto marks them if PUBLIC_BASE_URL is https",
    (value) => (value === "false" ? "cookies must be Secure in production" : undefined),
  ),
  SITE_ABBREVIATION: variable(
    Joi.string()
      .pattern(/^[A-Za-z0-9]{1,16}$/)
      .messages({ "string.pattern.base": "must be 1 to 16 ASCII letters and digits" })
      .default("gh"),
    "short name of the site, 1 to 16 letters and digits; the name of the trusted-device cookie " +
      "begins with it, so a new value ends the trust in every browser",
  ),
  ...sessionVariables,
  ...ssoVariables,
  ...survivalVariables,
  SSE_RECHECK: variable(
    duration("30s"),
    "how often an open event stream checks that its session is still valid",
    atLeast("5s"),
  ),
  SSE_MAX_PER_IP: variable(
    Joi.number().integer().min(1).default(20),
    "event streams that one address may hold open on one process",
  ),
  SSE_MAX_PER_NETWORK: variable(
    Joi.number().integer().min(1).default(1000),
    "event streams that all addresses of one IPv6 /48 or IPv4 /24 together may hold open on one " +
      "process",
  ),
  SSE_MAX: variable(
    Joi.number().integer().min(1).default(8000),
    "largest number of event streams that one process holds open",
  ),
  EVENT_RETENTION_CHATTY: variable(
    duration("24h"),
    "how long presence and heartbeat events are kept",
    atLeast("1h"),
  ),
  EVENT_RETENTION_LONG: variable(
    duration("365d"),
    "how long audit, sale and account events are kept",
    atLeast("1h"),
  ),
  EVENT_RETENTION: variable(
    duration("90d"),
    "how long events are kept that neither EVENT_RETENTION_CHATTY nor EVENT_RETENTION_LONG covers",
    atLeast("1h"),
  ),
  ACTIVITY_RETENTION: variable(
    duration("730d"),
    "how long the activity log is kept",
    atLeast("30d"),
  ),
  ATLAS_PATH: variable(
    Joi.string<string | undefined>(),
    "folder of the game server's files from which the spawn atlas is read, unless " +
      "administrators set another path",
  ),
  CLILOC_PATH: variable(
    Joi.string<string | undefined>(),
    "the client's cliloc file or its folder, which is read while the link to the shard is off, " +
      "unless administrators set another path",
  ),
  ...mailVariables,
  ...pushVariables,
  ...throttleVariables,
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof variables;
