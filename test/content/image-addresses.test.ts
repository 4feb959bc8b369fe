import { array, assert, constantFrom, property } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isJunkPath } from "../../api/http/junk-paths.ts";
import type { Route } from "../../api/http/route.ts";
import { routes } from "../../api/routes.ts";
import { isImageSource } from "../../shared/platform/net/image-address.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { callRoute, statusAndBodyOf, wrongField } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const site = "https://guild.example";
const environment = {
  PUBLIC_BASE_URL: site,
  ALLOWED_ORIGINS: "https://app.guild.example",
  CONTENT_IMAGE_PATHS: "/images/,/a/b/",
};

let server: TestServer;
let editor: SignedIn;
let admin: SignedIn;
beforeAll(async () => {
  server = await startTestServer({ environment });
  [editor, admin] = [
    await signIn(server, { role: "editor" }),
    await signIn(server, { role: "admin" }),
  ];
});
afterAll(() => server.stop());

const hash = "0a".repeat(32);

/** Addresses that are accepted: public pictures of the site and of other sites. */
const good = [
  "/images/a.png",
  "/images/b/c.WebP?v=2",
  "/a/b/c.svg",
  "/images/x/../a.png",
  "/api/v1/public/assets/item:3922:1153",
  `/api/v1/public/assets/by-hash/${hash}`,
  `/api/v1/public/survival/servers/3/map/image?hash=${hash}`,
  `${site}/images/a.png`,
  "https://app.guild.example:8443/images/a.png",
  "https://example.org/wp-login.php",
  "https://guild.example.org/a.png",
  "https://example.org/@guild/a.png",
];

/**
 * Addresses that are refused: other paths of the site in any spelling, and addresses that contain a
 * user name.
 */
const bad = [
  "/",
  "/a.png",
  "/wp-login.php",
  "/images/",
  "/images/a.php",
  "/images/a.png/../../wp-login.php",
  "/images/../api/v1/auth/me/export",
  "/images/%2e%2e/wp-login.php",
  "/images/..%2fwp-login.png",
  "/images/x.php%2fa.png",
  "/images\\..\\..\\wp-login.php",
  "/imagesx/a.png",
  "/api/v1/auth/me/export",
  "/api/v1/auth/me/export?x=/images/a.png",
  "/api/v1/auth/me/export#/images/a.png",
  "/api/v1/auth/password/reset/none",
  "/api/v1/public/assets/../../../../wp-login.php",
  "/api/v1/public/assets/x.php",
  "/api/v1/public/shard/stream",
  `${site}/wp-login.php`,
  `${site}:443/wp-login.php`,
  `${site}:8443/wp-login.php`,
  "https://GUILD.example./wp-login.php",
  "https://guild.example\\wp-login.php",
  "https:guild.example/wp-login.php",
  "https:/api/v1/auth/me/export",
  "https:/images/../wp-login.php",
  "https:wp-login.php",
  "https:\\\\example.org/a.png",
  "HTTPS:/example.org/a.png",
  "https://app.guild.example/api/v1/auth/me/export",
  "https://guild.example@guild.example/images/a.png",
  "https://u:p@example.org/a.png",
  "https://u@example.org/a.png",
  "https://:p@example.org/a.png",
  "//example.org/a.png",
  "/\\example.org/a.png",
  "ftp://example.org/a.png",
  "javascript:alert(1)",
  "data:image/png;base64,AA",
  "images/a.png",
];

/**
 * Fields that no page shows as a picture: they hold a name, or an address that the service calls.
 */
const unshown = ["baseUrl", "endpoint", "iconSteamId", "issuer", "url", "wsUrl"];

interface Field {
  readonly name: string;
  readonly send: (address: string) => Promise<{ readonly status: number; readonly body: unknown }>;
  readonly refusal: unknown[];
  /** True for an address of `good` that this field refuses because of a rule of its own. */
  readonly refuses?: (address: string) => boolean;
}

let count = 0;
const rule = "an https address without a user name, or the path of a public picture of the site";

const fields: readonly Field[] = [
  {
    name: "image_url of a post",
    send: (image_url) =>
      callRoute(server, "POST /admin/posts", {
        headers: editor.headers,
        body: { title: `Post ${(count += 1)}`, body: "Text", image_url },
      }),
    refusal: wrongField("image_url", `image_url must be ${rule}`),
  },
  {
    name: "imageUrl of an event",
    send: (imageUrl) =>
      callRoute(server, "POST /admin/events", {
        headers: editor.headers,
        body: { title: `Event ${(count += 1)}`, imageUrl, spec: { phases: [] } },
      }),
    refusal: [
      400,
      {
        errors: expect.arrayContaining([
          {
            path: "/imageUrl",
            code: "format",
            message:
              "imageUrl must be an http or https address without a user name; on this site, that of a public picture",
          },
        ]),
      },
    ],
    refuses: (address) => address.startsWith("/"),
  },
  {
    name: "icon of a provider",
    send: (icon) =>
      callRoute(server, "POST /admin/auth/providers", {
        headers: admin.headers,
        body: {
          id: `p-${(count += 1)}`,
          name: "P",
          issuer: "https://id.example.org",
          clientId: "c",
          icon,
        },
      }),
    refusal: wrongField("icon", `icon must be a name, ${rule}`),
  },
];

const mayBeAddress =
  /address|avatar|banner|endpoint|href|icon|image|issuer|link|logo|picture|ur[il]$|website/i;

/** The part of a Joi description that this test reads. */
interface Described {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
}

const addressFieldsOf = ({ keys = {}, items = [] }: Described): string[] => [
  ...Object.entries(keys).flatMap(([name, field]) => [
    ...(field.type === "string" && mayBeAddress.test(name) ? [name] : []),
    ...addressFieldsOf(field),
  ]),
  ...items.flatMap(addressFieldsOf),
];

describe("a field of a request body that may hold an address", () => {
  it("is a tested image field, or a field that no page shows", () => {
    const found = routes.flatMap(({ body }) => (body ? addressFieldsOf(body.describe()) : []));
    const images = fields.map(({ name }) => name.split(" ")[0] ?? "");
    expect([...new Set(found)].toSorted()).toEqual([...images, ...unshown].toSorted());
  });
});

describe.each(fields)("$name", ({ send, refusal, refuses = () => false }) => {
  it.each(good.map((address) => [address]))(
    "accepts the address %s, unless the field has a stricter rule",
    async (address) => {
      const { body } = await send(address);
      const isRefused = /(?:image_?url|icon) must/i.test(JSON.stringify(body));
      expect(isRefused).toBe(refuses(address));
    },
  );

  it.each(bad.map((address) => [address]))("rejects the address %s", async (address) => {
    expect(statusAndBodyOf(await send(address))).toEqual(refusal);
  });
});

describe("an image in a Markdown text", () => {
  const shown = async (text: string) => {
    const answered = await callRoute(server, "POST /admin/content/preview", {
      headers: editor.headers,
      body: { body: text },
    });
    return (answered.body as { html: string }).html;
  };

  it.each(good.map((address) => [address]))("is shown from %s", async (address) => {
    expect(await shown(`![x](${address})`)).toContain("<img ");
  });

  it.each(bad.map((address) => [address]))("is not shown from %s", async (address) => {
    for (const text of [`![x](${address})`, `![x](<${address}>)`, `![x][1]\n\n[1]: ${address}`]) {
      expect(await shown(text)).not.toContain("<img");
    }
  });
});

describe("a link in a Markdown text", () => {
  it.each([
    "https://u:p@example.org/",
    "https://guildhall.example@evil.example/",
    "http://u@x.org",
  ])("has no href if its address contains a user name: %s", async (address) => {
    for (const text of [`[x](${address})`, `<${address}>`, `[x][1]\n\n[1]: ${address}`]) {
      const answered = await callRoute(server, "POST /admin/content/preview", {
        headers: editor.headers,
        body: { body: text },
      });
      expect((answered.body as { html: string }).html).not.toContain("href");
    }
  });
});

describe("an image address that was stored under older rules", () => {
  it("is not shown in posts and the feed", async () => {
    const made = await callRoute(server, "POST /admin/posts", {
      headers: editor.headers,
      body: { title: "Old", body: "Text", status: "published", image_url: "/images/a.png" },
    });
    const { id, slug } = made.body as { id: number; slug: string };
    await server.context.models.Post.update({ imageUrl: "/wp-login.php" }, { where: { id } });
    for (const [path, headers] of [
      [`GET /admin/posts/${id}`, editor.headers],
      [`GET /public/posts/${slug}`, {}],
    ] as const) {
      expect((await callRoute(server, path, { headers })).body).toMatchObject({ image_url: null });
    }
    const feed = await callRoute(server, "GET /public/feed?format=json");
    expect(feed.text).not.toContain("wp-login");
  });
});

const isPicture = ({ answers }: Route): boolean =>
  JSON.stringify(answers[200] ?? "").includes('"image/');

describe("the image addresses that a text may use", () => {
  it("include every public route that answers an image", () => {
    const values = { hash, id: "3" };
    const paths = routes
      .filter(({ path }) => path.startsWith("/api/v1/public/"))
      .filter(isPicture)
      .map(({ path }) =>
        path.replaceAll(/:(\w+)/g, (_, name: string) => values[name as keyof typeof values]),
      );
    expect(paths).toHaveLength(2);
    expect(paths.filter((path) => !isImageSource(path, server.context.config))).toEqual([]);
  });

  it("never include a path that scanners try", () => {
    const part = constantFrom("/", "..", "images", "a.png", "x.php", ".env", "wp-login.php", "%2f");
    assert(
      property(part, part, part, part, (...parts) => {
        const address = `/images/${parts.join("/")}`;
        const { pathname } = new URL(address, site);
        expect(isImageSource(address, server.context.config) && isJunkPath(pathname)).toBe(false);
      }),
    );
  });

  it("are allowed also in the form to which a browser resolves them on a page of the site", () => {
    const signs = ["https:", "HTTP:", "/", "//", "\\", ".", "..", "@", "?", "#", ":443", "%2f"];
    const names = ["guild.example", "example.org", "images", "a.png", "wp-login.php"];
    const part = constantFrom(...signs, ...names);
    assert(
      property(array(part, { minLength: 1, maxLength: 7 }), (parts) => {
        const address = parts.join("");
        if (!isImageSource(address, server.context.config)) return;
        const { href } = new URL(address, `${site}/wiki/page`);
        expect([address, isImageSource(href, server.context.config)]).toEqual([address, true]);
      }),
      { numRuns: 20_000 },
    );
  });
});
