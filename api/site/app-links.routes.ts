import { readAppLinks } from "../../shared/auth/sso/app-links.ts";
import { route } from "../http/route.ts";

export const appLinksRoutes = [
  route({
    method: "get",
    path: "/.well-known/assetlinks.json",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "Retrieve the Android app link statement",
    description:
      "Returns the Digital Asset Links file. Android reads the file to decide whether the mobile " +
      "app may open links to the site. 404 `not_found` while the setting " +
      "`mobile_app_links_enabled` is off or no certificate fingerprint is configured.",
    answers: { 200: { listOf: "AppLinkStatement" }, 404: "Error" },
    handle: (_input, context) => readAppLinks(context),
  }),
];
