import { recordInvalidAddress } from "../../shared/ops/invalid-addresses.ts";
import type { Context } from "../../shared/platform/context.ts";
import {
  type InvalidAddressForm,
  invalidAddressForms,
} from "../../shared/platform/net/forwarded-address.ts";
import { readRequestOrigin, readPeerAddress } from "../origin/origin.ts";
import type { RequestMiddleware } from "./on-arrival.ts";

const reportIntervalMs = 3_600_000;

/**
 * Warns the operator if a trusted proxy sends an invalid client address: all clients of the proxy then share
 * one limit. Each kind of fault is logged once per process, and stored for the doctor command once per hour.
 */
export function reportInvalidForwarded({ log, sequelize, models }: Context): RequestMiddleware {
  const notedAt = new Map<InvalidAddressForm, number>();
  return (request) => {
    const { unread: form } = readRequestOrigin(request);
    if (form === undefined) return;
    const last = notedAt.get(form);
    const now = performance.now();
    if (last !== undefined && now - last < reportIntervalMs) return;
    notedAt.set(form, now);
    const proxy = readPeerAddress(request);
    if (last === undefined) {
      const facts = { form: invalidAddressForms[form], proxy };
      log.warn(
        facts,
        "X-Forwarded-For contains an entry that is not an IP address: all such clients share one rate limit",
      );
    }
    recordInvalidAddress({ form, proxy }, { sequelize, models }).catch((error: unknown) => {
      log.warn(
        { err: error },
        "an invalid entry of X-Forwarded-For could not be recorded for the doctor",
      );
    });
  };
}
