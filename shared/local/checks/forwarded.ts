import { type UnreadForm, unreadForms } from "../../net/forwarded-address.ts";
import { readUnread } from "../../ops/unread-addresses.ts";
import { type Check, fault, ok } from "./check.ts";

/** Whether the proxies in front handed on addresses that can be read. */
export const forwardedCheck: Check = {
  name: "forwarded",
  async run(context) {
    const unread = await readUnread(context);
    if (unread.length === 0) return ok("every address that proxies handed on in a day was read");
    const each = unread.map(({ form, proxy }) => `${wordsOf(form)} (from ${proxy})`);
    return fault(
      `X-Forwarded-For held ${each.join("; ")}: all such clients share one count`,
      "have the proxy append the client's address, and TRUST_PROXY name your proxies alone",
    );
  },
};

const wordsOf = (form: string): string =>
  Object.hasOwn(unreadForms, form) ? unreadForms[form as UnreadForm] : form;
