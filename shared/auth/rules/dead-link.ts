import { type SignInFault, SignInRefusal } from "./refusals.ts";

/** One answer for links that are unknown, used, expired or withdrawn. */
export const deadLink = (fault: SignInFault = "token"): SignInRefusal =>
  new SignInRefusal(fault, "invalid_link", "Invalid or expired link");
