import ipaddr from "ipaddr.js";
import Joi from "joi";

import { findPasswordLengthFault } from "../texts/typed-text.ts";
import { isForbiddenScheme, schemePattern } from "./link-schemes.ts";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a text such as `250ms`, `2s`, `15m`, `12h` or `7d` to milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})(ms|[smhd])$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}

/** Formats a duration in its largest whole unit: 900,000 ms is `15m`. */
export function formatDuration(ms: number): string {
  const { count, unit } = inLargestUnit(ms);
  return `${count}${unit}`;
}

const unitNames = { ms: "millisecond", s: "second", m: "minute", h: "hour", d: "day" } as const;

/** Formats a duration for a sentence: 900,000 ms is `15 minutes`. */
export function formatDurationInWords(ms: number): string {
  const { count, unit } = inLargestUnit(ms);
  return `${count} ${unitNames[unit]}${count === 1 ? "" : "s"}`;
}

type Unit = keyof typeof unitMs;

function inLargestUnit(ms: number): { readonly count: number; readonly unit: Unit } {
  const units = (Object.keys(unitMs) as Unit[]).toReversed();
  const unit = units.find((name) => ms % unitMs[name] === 0) ?? "ms";
  return { count: Math.round(ms / unitMs[unit]), unit };
}

export interface DurationBounds {
  readonly least?: string;
  readonly most?: string;
}

/** A duration in milliseconds, written `250ms`, `2s`, `15m`, `12h` or `7d`. */
export function durationSchema(
  defaultText: string,
  { least = "0s", most = "3650d" }: DurationBounds = {},
): Joi.AnySchema<number> {
  const [leastMs, mostMs] = [parseDuration(least) as number, parseDuration(most) as number];
  return Joi.any<number>()
    .custom((text: unknown) => {
      const ms = parseDuration(String(text));
      if (ms === undefined) throw new Error("must be a duration such as 250ms, 2s, 15m, 12h or 7d");
      if (ms < leastMs || ms > mostMs) throw new Error(`must be ${least} to ${most}`);
      return ms;
    })
    .default(parseDuration(defaultText) as number);
}

/** Values separated by commas. Empty values are ignored. */
export function listValueSchema<T>(item: Joi.AnySchema<T>): Joi.AnySchema<T[]> {
  return Joi.any<T[]>().custom((text: unknown) =>
    String(text)
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => Joi.attempt(part, item)),
  );
}

/** Natural numbers, written `name=1,other=2`. @param defaultText the numbers of omitted names */
export function numbersByNameSchema<Name extends string>(
  names: readonly Name[],
  defaultText: Readonly<Record<Name, number>>,
): Joi.AnySchema<Readonly<Record<Name, number>>> {
  return Joi.any<Readonly<Record<Name, number>>>()
    .custom((text: unknown) => ({ ...defaultText, ...parseNumbers(String(text), names) }))
    .default(defaultText);
}

/** `scheme://host[:port]`, as browsers write it. */
export function originSchema(): Joi.AnySchema<string> {
  return Joi.any<string>().custom((text: unknown) => parseUrl(text).origin);
}

/** A folder of a site, as a URL path: `/images/`. */
export function folderPathSchema(): Joi.AnySchema<string> {
  return Joi.string().pattern(/^\/(?:[\w.~-]+\/)+$/, "path of a folder, as /images/");
}

/** A scheme of links, without the colon: `minecraft`. */
export function linkSchemeSchema(): Joi.AnySchema<string> {
  return Joi.any<string>().custom((text: unknown) => {
    const scheme = String(text).toLowerCase();
    if (!schemePattern.test(scheme)) throw new Error("must be a scheme without its colon");
    if (isForbiddenScheme(scheme)) {
      throw new Error(`must not contain ${scheme}: links never have this scheme`);
    }
    return scheme;
  });
}

/** `https://name[:port]` of a push relay. A leading `*.` stands for any one label. */
export function pushOriginSchema(): Joi.AnySchema<string> {
  return Joi.any<string>().custom((text: unknown) => {
    const url = parseUrl(text);
    const name = url.hostname.replace(/^\*\./, "");
    if (url.protocol !== "https:") throw new Error("must be https");
    if (ipaddr.isValid(name) || name.startsWith("[")) {
      throw new Error("must name hosts, not addresses");
    }
    if (name.includes("*")) throw new Error("may contain one *, only as the first label");
    if (url.pathname !== "/" || url.search !== "") {
      throw new Error("must not contain a path or a query");
    }
    return url.origin;
  });
}

/** An http or https URL without a trailing slash, so that paths can be appended. */
export function baseUrlSchema(): Joi.AnySchema<string> {
  return Joi.any<string>().custom((text: unknown) => {
    const url = parseUrl(text);
    if (url.search !== "") throw new Error("must not contain a query");
    return url.href.replace(/\/+$/, "");
  });
}

/** A password of allowed length. The other password rules need the user name. */
export function passwordSchema(): Joi.AnySchema<string | undefined> {
  return Joi.any<string | undefined>().custom((text: unknown) => {
    const rule = findPasswordLengthFault(String(text));
    if (rule !== undefined) throw new Error(rule);
    return text;
  });
}

/** Keys by id, in the given order. The first key encrypts new data. All keys decrypt old data. */
export function keyringSchema(exactBytes?: number): Joi.AnySchema<ReadonlyMap<string, Buffer>> {
  return Joi.any<ReadonlyMap<string, Buffer>>()
    .custom((text: unknown) => {
      const entries = String(text)
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .map((part) => parseKey(part, exactBytes));
      const keys = new Map(entries);
      if (keys.size < entries.length) throw new Error("each key id may occur only once");
      return keys;
    })
    .default(() => new Map<string, Buffer>());
}

export type TrustProxy = boolean | number | string[];

export function trustProxySchema(): Joi.AnySchema<TrustProxy> {
  return Joi.any<TrustProxy>().custom((text: unknown) => parseTrustProxy(String(text)));
}

function parseUrl(text: unknown): URL {
  const url = URL.parse(String(text));
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new Error("must be an http or https URL");
  }
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new Error("must not contain a user, password or fragment");
  }
  return url;
}

function parseNumbers(text: string, names: readonly string[]): Record<string, number> {
  const parts = text.split(",").map((part) => part.trim());
  const entries = parts
    .filter((part) => part !== "")
    .map((part): [string, number] => {
      const [name = "", value = ""] = part.split("=").map((side) => side.trim());
      if (!names.includes(name)) throw new Error(`${name} is not one of ${names.join(", ")}`);
      if (!/^\d{1,15}$/.test(value)) throw new Error(`${name} must be a natural number`);
      return [name, Number(value)];
    });
  return Object.fromEntries(entries);
}

function parseKey(text: string, exactBytes: number | undefined): [string, Buffer] {
  const at = text.indexOf(":");
  const id = text.slice(0, at);
  if (at < 1 || !/^[A-Za-z0-9_-]{1,16}$/.test(id)) {
    throw new Error("each key must be written id:base64");
  }
  const key = Buffer.from(text.slice(at + 1), "base64");
  if (exactBytes !== undefined && key.length !== exactBytes) {
    throw new Error(`key ${id} must hold ${exactBytes} bytes`);
  }
  if (key.length < 32) throw new Error(`key ${id} must hold 32 bytes or more`);
  return [id, key];
}

const namedRanges = ["loopback", "linklocal", "uniquelocal"];

function parseTrustProxy(text: string): TrustProxy {
  if (["", "0", "false"].includes(text)) return false;
  // With `true`, Express would trust X-Forwarded-For of every client. Trust one proxy instead.
  if (text === "true") return 1;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const peers = text.split(",").map((peer) => peer.trim());
  const known = peers.every(
    (peer) => namedRanges.includes(peer) || ipaddr.isValid(peer) || ipaddr.isValidCIDR(peer),
  );
  if (!known) throw new Error("must be a number of hops or addresses, ranges or loopback");
  return peers;
}
