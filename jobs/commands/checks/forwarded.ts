import { readInvalidAddresses } from "../../../shared/ops/invalid-addresses.ts";
import { type InvalidForm, invalidForms } from "../../../shared/platform/net/forwarded-address.ts";
import type { ShellContext } from "../launch/shell-context.ts";
import { type Check, fault, type Finding, ok, skipped } from "./check.ts";

/** Checks if trusted proxies sent unreadable addresses. */
export const forwardedCheck: Check = {
  name: "forwarded",
  async run(context) {
    const unread = await readInvalidAddresses(context);
    if (unread.length === 0) return findingOf(context);
    const each = unread.map(({ form, proxy }) => `${wordsOf(form)} (from ${proxy})`);
    return fault(
      `X-Forwarded-For held ${each.join("; ")}: all such clients share one count`,
      "have the proxy append the client's address, and TRUST_PROXY name your proxies alone",
    );
  },
};

/** Describes the case without trusted proxies: no forwarded address is read, so nothing is recorded. */
function findingOf({ config }: ShellContext): Finding {
  if (config.TRUST_PROXY !== false && config.TRUST_PROXY !== 0) {
    return ok("every address that proxies handed on in a day was read");
  }
  return skipped(
    "TRUST_PROXY is false: X-Forwarded-For is not read; set it if a proxy is in front",
  );
}

const wordsOf = (form: string): string =>
  Object.hasOwn(invalidForms, form) ? invalidForms[form as InvalidForm] : form;
