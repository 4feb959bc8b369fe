import { openTransport } from "../../../shared/platform/net/mail.ts";
import { type DoctorCheck, faultResult, errorReasonOf, okResult, skippedResult } from "./check.ts";

const silenceMs = 5_000;

export const mailCheck: DoctorCheck = {
  name: "mail",
  async run({ config: { SMTP_URL: url } }) {
    if (url === undefined) return skippedResult("mail is off, SMTP_URL is not set");
    const transport = await openTransport(url, silenceMs);
    try {
      await transport.verify();
      return okResult(`${new URL(url).host} accepts the sign-in`);
    } catch (error) {
      return faultResult(errorReasonOf(error), "correct SMTP_URL, or unset it to switch mail off");
    } finally {
      transport.close();
    }
  },
};
