import { isObject, type JsonObject } from "../bridge/json-text.ts";
import { firstRow } from "../db/rows.ts";
import { AppError, invalidFieldsError } from "../errors/errors.ts";
import {
  type PluginCall,
  requireLiveKey,
  linkDisabledError,
  requireCurrentBoot,
  helloRequiredError,
} from "./calls.ts";
import { selectSessionSql, storeCallSql } from "./inbox.sql.ts";
import { pluginLimits } from "./plugin-limits.ts";
import type { PluginServices } from "./services.ts";

/** The fields that are read before a call with events is stored. */
interface Envelope {
  readonly epoch: string;
  readonly bootId: string;
  /** First `seq` of the gap or of the events; null for an empty call. */
  readonly first: number | null;
  readonly last: number;
  readonly events: number;
}

/**
 * Stores the events of a call in the inbox, all or none.
 * @param text the body as received
 * @returns the highest `seq` that is durably stored
 * @throws AppError malformed_body, validation_failed, body_too_large; plugin_hello_required,
 * plugin_superseded, plugin_epoch, plugin_sequence, plugin_disabled, plugin_backlog
 */
export async function receiveEvents(
  call: PluginCall,
  text: string,
  { sequelize }: Pick<PluginServices, "sequelize">,
): Promise<number> {
  const envelope = readEnvelope(text);
  const { source, keyId } = call;
  const { epoch, bootId, first, last, events } = envelope;
  if (first !== null) {
    const values = storeCallSql.valuesOf({
      source,
      keyId,
      bootId,
      epoch,
      first,
      last,
      events,
      bytes: Buffer.byteLength(text),
      content: text,
      mostEvents: pluginLimits.waitingEvents,
      mostBytes: pluginLimits.waitingBytes,
    });
    const stored = await firstRow(sequelize, storeCallSql, values);
    if (stored) return last;
  }
  await requireLiveKey(keyId, { sequelize });
  const session = await firstRow<Session>(sequelize, selectSessionSql, [source]);
  return findRefusal(envelope, session);
}

interface Session {
  readonly isLinked: boolean;
  readonly bootId: string | null;
  readonly epoch: string | null;
  readonly seq: number;
  readonly formerBoots: Readonly<Record<string, number>>;
}

/**
 * Throws an error with the reason why a call was not stored.
 * @returns the stored `seq` if the call was stored before
 */
function findRefusal(
  { bootId, epoch, first, last }: Envelope,
  session: Session | undefined,
): number {
  if (!session?.bootId) throw helloRequiredError();
  if (!session.isLinked) throw linkDisabledError();
  requireCurrentBoot(bootId, session.formerBoots);
  if (bootId !== session.bootId) throw helloRequiredError();
  if (epoch !== session.epoch) {
    throw new AppError("plugin_epoch", "The epoch is not the one of the last hello");
  }
  if (first === null || last <= session.seq) return session.seq;
  if (first - 1 > session.seq) throw sequenceError(session.seq + 1);
  throw new AppError("plugin_backlog", "Too many events of this server wait to be stored", {
    retryAfter: 5,
  });
}

const sequenceError = (expected: number): AppError =>
  new AppError("plugin_sequence", `The next event must be ${expected}`, { extra: { expected } });

function readEnvelope(text: string): Envelope {
  const body = parse(text);
  const { events = [] } = body;
  const epoch = uuidIn(body, "epoch");
  const bootId = uuidIn(body, "bootId");
  if (!Array.isArray(events)) throw fault("events", "events must be an array");
  if (events.length > pluginLimits.events) {
    throw new AppError("body_too_large", `A call holds at most ${pluginLimits.events} events`);
  }
  const range = readRange(readGap(body["gap"]), events.map(readSeq));
  return { epoch, bootId, events: events.length, ...range };
}

/** Returns the first and last `seq` of the gap and the events, which must be contiguous. */
function readRange(
  gap: { readonly from: number; readonly to: number } | null,
  seqs: readonly number[],
): Pick<Envelope, "first" | "last"> {
  const [head] = seqs;
  const start = gap ? gap.to + 1 : (head ?? 0);
  const wrong = seqs.findIndex((seq, place) => seq !== start + place);
  if (wrong !== -1) throw sequenceError(start + wrong);
  return { first: gap?.from ?? head ?? null, last: seqs.at(-1) ?? gap?.to ?? 0 };
}

/** Parses only the outer fields. Ingest rejects invalid events later. */
function parse(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // The statement below throws the error.
  }
  throw new AppError("malformed_body", "The body must be a JSON object");
}

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function uuidIn(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value === "string" && uuidPattern.test(value)) return value.toLowerCase();
  throw fault(name, `${name} must be a UUID`);
}

const isSeq = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

function readSeq(event: unknown, place: number): number {
  const seq = isObject(event) ? event["seq"] : undefined;
  if (isSeq(seq)) return seq;
  throw fault(`events.${place}.seq`, `events.${place}.seq must be a whole number from 0`);
}

function readGap(given: unknown): { readonly from: number; readonly to: number } | null {
  if (given === undefined || given === null) return null;
  const { from, to } = isObject(given) ? given : {};
  if (isSeq(from) && isSeq(to) && from <= to) return { from, to };
  throw fault("gap", "gap must name two whole numbers, from and to, of which from is not larger");
}

const fault = (path: string, message: string): AppError => invalidFieldsError([{ path, message }]);
