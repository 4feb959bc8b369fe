import type { Request } from "express";

import type { SignInClient } from "../../shared/platform/access/caller.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import { readCookie } from "../http/cookies.ts";
import { readRequestOrigin } from "../origin/origin.ts";

/** Returns the origin of a request. Trusted proxies determine its address. */
export const readSignInClient = (
  request: Request,
  { config }: { readonly config: Config },
): SignInClient => ({
  address: readRequestOrigin(request).address,
  userAgent: request.get("user-agent"),
  trustToken: readCookie(request, "trust", config),
});
