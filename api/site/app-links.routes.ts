import { readAppLinks } from "../../shared/auth/sso/app-links.ts";
import { route } from "../http/route.ts";

export const appLinksRoutes = [
  route({
    method: "get",
    path: "/.well-known/assetlinks.json",
    gate: "public",
    set: "core",
    tag: "Site",
    summary: "Which app may open the site's links",
    description: "404 while the setting is off or no certificate is configured.",
    answers: { 200: { listOf: "AppLinkStatement" }, 404: "Error" },
    handle: (_input, context) => readAppLinks(context),
  }),
];
