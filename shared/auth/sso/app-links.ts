import type { AuthProvider } from "../../../models/auth/auth-provider.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError, AppError } from "../../platform/errors/errors.ts";
import { readSetting } from "../../platform/settings/settings.ts";
import type { CountedSubject } from "../../platform/throttle/subjects.ts";
import { findEnabledProvider } from "../providers/providers.ts";
import type { AppRequest } from "./transactions.ts";

/** The link to the site that opens the app after a sign-in at a provider. */
const appLinkAddress = ({ PUBLIC_BASE_URL }: Config): string =>
  `https://${new URL(PUBLIC_BASE_URL).host}/mobile/callback`;

/** States which app may open the site's links, in Android's format. */
export interface AppLinkStatement {
  readonly relation: readonly ["delegate_permission/common.handle_all_urls"];
  readonly target: {
    readonly namespace: "android_app";
    readonly package_name: string;
    readonly sha256_cert_fingerprints: readonly string[];
  };
}

/** @throws AppError missing if app links are off */
export async function readAppLinks(context: Context): Promise<AppLinkStatement[]> {
  const { APP_LINK_PACKAGE, APP_LINK_FINGERPRINTS } = context.config;
  const isOn = await readSetting("mobile_app_links_enabled", context);
  if (!isOn || APP_LINK_FINGERPRINTS.length === 0) throw notFoundError();
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

/** @throws AppError invalid unless the URI is configured, or is the app link while app links are on */
export async function checkAppRequest(
  { redirectUri }: AppRequest,
  context: Context,
): Promise<void> {
  const { config } = context;
  if (config.MOBILE_REDIRECTS.includes(redirectUri)) return;
  const isLink = redirectUri.startsWith("https:") && redirectUri === appLinkAddress(config);
  if (isLink && (await readSetting("mobile_app_links_enabled", context))) return;
  throw new AppError("redirect_not_allowed", "redirect_uri is not allowed");
}

/**
 * Finds the provider for the app's sign-in and counts the request. Unknown provider names are not
 * counted, because each would create a new counter.
 * @param countedNetworks the networks of the request, narrowest first
 * @throws AppError missing, limited
 */
export async function findAppProvider(
  id: string,
  countedNetworks: readonly CountedSubject[],
  context: Context,
): Promise<AuthProvider> {
  const provider = await findEnabledProvider(id, context);
  const subjects = countedNetworks.map(({ id: network, times }) => ({
    id: `${network} ${provider.id}`,
    times,
  }));
  await context.rateLimits.countUse("mobileStart", subjects);
  return provider;
}
