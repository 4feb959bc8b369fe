import { parseArgs } from "node:util";

import { IdentityProvider } from "./identity-provider.ts";

// Runs an OpenID-certified provider in a separate process, to which the demo's sign-in leads.

const text = { type: "string", default: "" } as const;
const { values } = parseArgs({
  options: { port: text, callback: text, "client-secret": text, accounts: text },
});
await IdentityProvider.start({
  port: Number(values.port),
  callbackUrls: [values.callback],
  clientSecret: values["client-secret"],
  accounts: values.accounts.split(","),
});
