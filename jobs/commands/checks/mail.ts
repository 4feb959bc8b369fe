import { openTransport } from "../../../shared/platform/net/mail.ts";
import { type Check, fault, reasonOf, ok, skipped } from "./check.ts";

const silenceMs = 5_000;

export const mailCheck: Check = {
  name: "mail",
  async run({ config: { SMTP_URL: url } }) {
    if (url === undefined) return skipped("mail is off, SMTP_URL is not set");
    const transport = await openTransport(url, silenceMs);
    try {
      await transport.verify();
      return ok(`${new URL(url).host} accepts the sign-in`);
    } catch (error) {
      return fault(reasonOf(error), "correct SMTP_URL, or unset it to switch mail off");
    } finally {
      transport.close();
    }
  },
};
