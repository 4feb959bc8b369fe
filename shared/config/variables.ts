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
  keys.size === 0 ? "set it: keys made at random belong to one machine" : undefined;

/** CATALOGUE of the environment. `.env.example` and `docs/operate/configuration.md` follow it (tested). */
export const variables = {
  NODE_ENV: variable(
    Joi.string<"development" | "production" | "test">()
      .valid("development", "production", "test")
      .default("development"),
    "production refuses every default that is meant for one machine",
  ),
  PORT: variable(Joi.number().port().default(3000), "port of the public API"),
  HOST: variable(Joi.string().default("0.0.0.0"), "address the public API listens on"),
  INTERNAL_PORT: variable(
    Joi.number().port().default(0),
    "port of health and metrics, one a process; 0 picks a free one, which is logged and shown by the doctor",
  ),
  INTERNAL_HOST: variable(
    Joi.string().default("127.0.0.1"),
    "address health and metrics listen on",
  ),
  DATA_FOLDER: variable(
    Joi.string().default(".data"),
    "where one machine keeps its own database and keys",
  ),
  DATABASE_URL: variable(
    Joi.string()
      .uri({ scheme: ["postgres", "postgresql"] })
      .required(),
    "PostgreSQL 16 or newer; without it `npm start` and `npm run demo` bring their own",
  ),
  DATABASE_LISTEN_URL: variable(
    Joi.string<string | undefined>().uri({ scheme: ["postgres", "postgresql"] }),
    "a direct connection for LISTEN when DATABASE_URL goes through a transaction pooler",
  ),
  DATABASE_POOL: variable(
    Joi.number().integer().min(2).max(100).default(10),
    "connections each process may hold for queries",
  ),
  DATABASE_TIMEOUT: variable(
    duration("20s"),
    "how long one statement may take before its connection is given up; imports have longer",
    atLeast("5s"),
  ),
  SCHEMA_WAIT: variable(
    duration("60s"),
    "how long a process that starts waits for the database and the schema in it",
  ),
  PUBLIC_BASE_URL: variable(
    baseUrl().default("http://localhost:3000"),
    "where browsers reach the site; every link is made from it",
    (value) => (value.startsWith("https:") ? undefined : "must be https in production"),
  ),
  ALLOWED_ORIGINS: variable(
    listOf(origin()).default([]),
    "origins that may call with cookies beside that of PUBLIC_BASE_URL, separated by commas",
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
    "folders of the site whose picture files texts may show, separated by commas",
  ),
  CONTENT_LINK_SCHEMES: variable(
    listOf(linkScheme()).default([]),
    `schemes of links in texts in addition to ${standardLinkSchemes.join(", ")}; separated by commas`,
  ),
  TRUST_PROXY: variable(
    trustProxy().default(false),
    "hops (a number) or addresses of the proxies whose X-Forwarded-For is believed",
  ),
  LOG_LEVEL: variable(
    Joi.string()
      .valid("fatal", "error", "warn", "info", "debug", "trace", "silent")
      .default("info"),
    "least level that is logged",
  ),
  ADMIN_USERNAME: variable(
    Joi.string().min(3).max(32).default("admin"),
    "user name of the first administrator",
  ),
  ADMIN_PASSWORD: variable(
    password(),
    "password of the first administrator; made at random and printed once when unset",
  ),
  DEMO_PASSWORD: variable(
    password(),
    "password of the demo's accounts; made at random and printed when unset",
    (value) => (value === undefined ? undefined : "the demo is not for production"),
  ),
  JWT_KEYS: variable(
    keyring(),
    "signing keys `id:base64` (32 bytes or more), separated by commas; the first signs, all verify",
    madeAtRandom,
  ),
  SECRETS_KEYS: variable(
    keyring(32),
    "encryption keys `id:base64` (32 bytes); the first encrypts, all decrypt",
    madeAtRandom,
  ),
  PASSWORD_PEPPERS: variable(
    keyring(),
    "peppers `id:base64` (32 bytes or more) mixed into password hashes; the first hashes, all verify",
  ),
  BCRYPT_COST: variable(
    Joi.number().integer().min(4).max(15).default(12),
    "cost of password hashes; each step doubles the time of a sign-in, a lower one saves none until the last costlier hash was made anew",
    (value) => (value < 10 ? "must be 10 or more in production" : undefined),
  ),
  COOKIE_SECURE: variable(
    Joi.string<"auto" | "true" | "false">().valid("auto", "true", "false").default("auto"),
    "whether cookies are marked Secure; auto follows the scheme of PUBLIC_BASE_URL",
    (value) => (value === "false" ? "cookies must be Secure in production" : undefined),
  ),
  SITE_ABBREVIATION: variable(
    Joi.string()
      .pattern(/^[A-Za-z0-9]{1,16}$/)
      .messages({ "string.pattern.base": "must be 1 to 16 ASCII letters and digits" })
      .default("gh"),
    "short name of the site, 1 to 16 letters and digits; the name of the cookie of a trusted " +
      "browser begins with it, and another value ends the trust in every browser",
  ),
  ...sessionVariables,
  ...ssoVariables,
  ...survivalVariables,
  SSE_RECHECK: variable(
    duration("30s"),
    "how often an open stream checks that its session lives",
    atLeast("5s"),
  ),
  SSE_MAX_PER_IP: variable(
    Joi.number().integer().min(1).default(20),
    "event streams one address may hold open on one process",
  ),
  SSE_MAX_PER_NETWORK: variable(
    Joi.number().integer().min(1).default(1000),
    "event streams the addresses of one IPv6 /48 or IPv4 /24 may hold open together on one process",
  ),
  SSE_MAX: variable(
    Joi.number().integer().min(1).default(8000),
    "event streams one process holds open",
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
  EVENT_RETENTION: variable(duration("90d"), "how long every other event is kept", atLeast("1h")),
  ACTIVITY_RETENTION: variable(
    duration("730d"),
    "how long the activity log is kept",
    atLeast("30d"),
  ),
  ATLAS_PATH: variable(
    Joi.string<string | undefined>(),
    "game-server tree the spawn atlas is read from, unless administrators set another",
  ),
  CLILOC_PATH: variable(
    Joi.string<string | undefined>(),
    "Cliloc file, or its directory, for a service without a link to a shard",
  ),
  ...mailVariables,
  ...pushVariables,
  ...throttleVariables,
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof variables;
