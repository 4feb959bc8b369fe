import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { addProvider } from "../provider/add-provider.ts";
import { IdentityProvider } from "../provider/identity-provider.ts";
import { CookieBrowser } from "../provider/visitor.ts";
import { codeOf, createEnrolledUser, forgetSteps } from "../support/accounts/second-factor.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import type { ApiAnswer } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const site = "https://guildhall.example";

let provider: IdentityProvider;
let server: TestServer;

beforeAll(async () => {
  const callbackUrls = [`${site}/api/v1/auth/sso/harbour/callback`];
  provider = await IdentityProvider.start({ callbackUrls });
  server = await startTestServer({
    environment: { OIDC_ALLOW_INSECURE: "true", PUBLIC_BASE_URL: site },
  });
  await addProvider(server, await signIn(server, { role: "admin" }), "harbour", provider);
});
afterAll(async () => {
  await server?.stop();
  await provider?.stop();
});

/**
 * Returns the names and attributes of the cookies that an answer sets, without values and times.
 */
const cookiesOf = ({ setCookies }: ApiAnswer) =>
  setCookies
    .filter((line) => !/Expires=Thu, 01 Jan 1970/.test(line))
    .map((line) => {
      const [pair = "", ...attributes] = line.split("; ");
      const fixed = attributes.filter((text) => !/^(Expires|Max-Age)=/.test(text));
      return [pair.split("=")[0], ...fixed.toSorted()].join("; ");
    });

const wide = "HttpOnly; Path=/; SameSite=Lax; Secure";

describe("the cookies of a sign-in at a provider on an https site", () => {
  it("have the prefix __Host- and the attribute Secure at each step", async () => {
    const user = await createEnrolledUser(server);
    await forgetSteps(server, user.userId);
    await server.context.models.Identity.create({
      userId: user.userId,
      providerId: "harbour",
      providerName: "Harbour",
      issuer: provider.issuer,
      subject: provider.signsInAs ?? "",
    });
    const visitor = new CookieBrowser(server);
    const begun = await visitor.call("GET /auth/sso/harbour/start");
    expect(cookiesOf(begun)).toEqual([`__Host-sso; ${wide}`]);
    const path = await visitor.goToProvider(begun.headers.get("location") ?? "");
    const back = await visitor.open(path);
    expect(back.headers.get("location")).toBe(`${site}/login?sso=totp`);
    expect(cookiesOf(back)).toEqual([`__Host-sso_totp; ${wide}`]);
    const body = { code: codeOf(user.secret), trustDevice: true };
    const done = await visitor.call("POST /auth/sso/totp", { body });
    expect(done.status).toBe(200);
    expect(cookiesOf(done).toSorted()).toEqual([
      `__Host-gh_td; ${wide}`,
      `__Host-session; ${wide}`,
    ]);
    expect((await visitor.call("GET /auth/me")).status).toBe(200);
    for (const { headers } of [begun, back, done]) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  it("do not let a page of another site send the second factor", async () => {
    const visitor = new CookieBrowser(server);
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const refused = await visitor.call("POST /auth/sso/totp", {
        headers,
        body: { code: "000000" },
      });
      expect([refused.status, refused.body]).toEqual([
        403,
        { error: "Cross-site request refused" },
      ]);
    }
  });

  it("bind a sign-in to its browser, and are not accepted without the prefix __Host-", async () => {
    const visitor = new CookieBrowser(server);
    const begun = await visitor.call("GET /auth/sso/harbour/start");
    const path = await visitor.goToProvider(begun.headers.get("location") ?? "");
    const other = new CookieBrowser(server);
    other.hold(visitor.cookie.replace("__Host-sso=", "sso_tx="));
    const refused = await other.open(path);
    expect([refused.status, refused.headers.get("x-error-code")]).toEqual([400, "sso_ended"]);
    expect((await visitor.open(path)).status).toBe(302);
  });
});
