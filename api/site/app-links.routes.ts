import { readAppLinks } from "../../shared/auth/sso/app-links.ts";
import { defineRoute } from "../http/route.ts";

export const appLinksRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     AppLinkStatement:
   *       type: object
   *       additionalProperties: false
   *       required: [relation, target]
   *       properties:
   *         relation:
   *           type: array
   *           items: { type: string, enum: [delegate_permission/common.handle_all_urls] }
   *         target:
   *           type: object
   *           additionalProperties: false
   *           required: [namespace, package_name, sha256_cert_fingerprints]
   *           properties:
   *             namespace: { type: string, enum: [android_app] }
   *             package_name: { type: string, example: org.guildhall.app }
   *             sha256_cert_fingerprints:
   *               type: array
   *               items: { type: string, description: 'SHA-256 fingerprint of the certificate, as hexadecimal bytes separated by colons.' }
   */
  defineRoute({
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
