import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { missing } from "../../platform/errors/errors.ts";
import { readSetting } from "../../platform/settings/settings.ts";

/** The one link of the site that brings a sign-in back into the app. */
export const appLinkAddress = ({ PUBLIC_BASE_URL }: Config): string =>
  `https://${new URL(PUBLIC_BASE_URL).host}/mobile/callback`;

/** Which app may open the site's links, as Android asks it. */
export interface AppLinkStatement {
  readonly relation: readonly ["delegate_permission/common.handle_all_urls"];
  readonly target: {
    readonly namespace: "android_app";
    readonly package_name: string;
    readonly sha256_cert_fingerprints: readonly string[];
  };
}

/** @throws AppError missing while links open in no app */
export async function readAppLinks(context: Context): Promise<AppLinkStatement[]> {
  const { APP_LINK_PACKAGE, APP_LINK_FINGERPRINTS } = context.config;
  const isOn = await readSetting("mobile_app_links_enabled", context);
  if (!isOn || APP_LINK_FINGERPRINTS.length === 0) throw missing();
  return [
    {
      relation: ["delegate_permission/common.handle_all_urls"],
      target: {
        namespace: "android_app",
        package_name: APP_LINK_PACKAGE,
        sha256_cert_fingerprints: APP_LINK_FINGERPRINTS,
      },
    },
  ];
}
