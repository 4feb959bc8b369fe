import { readInvalidAddresses } from "../../../shared/ops/invalid-addresses.ts";
import {
  type InvalidAddressForm,
  invalidAddressForms,
} from "../../../shared/platform/net/forwarded-address.ts";
import type { ShellContext } from "../launch/shell-context.ts";
import {
  type DoctorCheck,
  faultResult,
  type DoctorResult,
  okResult,
  skippedResult,
} from "./check.ts";

/** Checks if trusted proxies sent unreadable addresses. */
export const forwardedAddressCheck: DoctorCheck = {
  name: "forwarded",
  async run(context) {
    const unread = await readInvalidAddresses(context);
    if (unread.length === 0) return findingOf(context);
    const each = unread.map(({ form, proxy }) => `${wordsOf(form)} (from ${proxy})`);
    return faultResult(
      `X-Forwarded-For contained ${each.join("; ")}: all such clients share one rate limit`,
      "let the proxy append the client's IP address, and name only your proxies in TRUST_PROXY",
    );
  },
};

/**
 * Returns the result without invalid addresses: skipped if no proxy is trusted, because forwarded addresses are
 * then ignored.
 */
function findingOf({ config }: ShellContext): DoctorResult {
  if (config.TRUST_PROXY !== false && config.TRUST_PROXY !== 0) {
    return okResult("all addresses that proxies sent in the last day were valid");
  }
  return skippedResult(
    "TRUST_PROXY is false, so X-Forwarded-For is ignored; set TRUST_PROXY if clients come through a proxy",
  );
}

const wordsOf = (form: string): string =>
  Object.hasOwn(invalidAddressForms, form) ? invalidAddressForms[form as InvalidAddressForm] : form;
