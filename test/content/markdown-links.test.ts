import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { renderMarkdown } from "../../shared/content/markdown/render.ts";
import { linkSchemeSchema, listValueSchema } from "../../shared/platform/config/values.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";

const site = "https://guild.example/news/a-post";
const images = { PUBLIC_BASE_URL: site, ALLOWED_ORIGINS: [], CONTENT_IMAGE_PATHS: ["/images/"] };

const render = (source: string, linkSchemes: readonly string[] = []) =>
  renderMarkdown(source, { findSlugs: async () => new Map(), images, linkSchemes });
const html = async (source: string, linkSchemes?: readonly string[]) =>
  (await render(source, linkSchemes)).html;

const standard = ["http", "https", "mailto", "tel", "steam", "discord", "ts3server", "mumble"];
const inWords = (schemes: readonly string[]) =>
  `The link was removed, because its scheme is not one of ${schemes.join(", ")}. Its text stays.`;

/** Addresses of links that stay unchanged. A browser opens them with another program. */
const good = [
  "steam://connect/203.0.113.5:27015",
  "steam://run/440",
  "discord://-/channels/1/2",
  "ts3server://voice.example?port=9987&nickname=x",
  "mumble://guest@voice.example:64738/Lobby",
  "tel:+49-30-1234",
  "mailto:guild@example.org?subject=Hi",
  "rules",
  "./rules#top",
  "../wiki/bank?edit=1",
  "?page=2",
  "#h-top",
  "/wiki/a:b",
  "./a:b",
  "STEAM://run/440",
];

const refused: readonly (readonly [string, string])[] = [
  ["javascript:alert(1)", "link_scheme"],
  ["JaVaScRiPt:alert(1)", "link_scheme"],
  ["javascript&colon;alert(1)", "link_scheme"],
  ["&#x6A;avascript:alert(1)", "link_scheme"],
  ["java&Tab;script:alert(1)", "link_scheme"],
  ["data:text/html,x", "link_scheme"],
  ["vbscript:x", "link_scheme"],
  ["file:///etc/passwd", "link_scheme"],
  ["blob:https://guild.example/1", "link_scheme"],
  ["ftp://files.example/", "link_scheme"],
  ["minecraft://play.example", "link_scheme"],
  ["a:b", "link_scheme"],
  ["//evil.example/", "link_host"],
  ["https://user@guild.example/", "link_user"],
  ["https://user:word@guild.example/", "link_user"],
  ["https://[::x]/", "link_malformed"],
  ["", "link_malformed"],
];

/** Returns the protocol of each link in the HTML, parsed as a browser parses it. */
function protocolsIn(made: string): (string | undefined)[] {
  return [...made.matchAll(/<a[^>]*\shref="([^"]*)"/g)].map(([, address = ""]) => {
    const text = address.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"');
    return URL.parse(text.replaceAll("&amp;", "&"), site)?.protocol;
  });
}

describe("a link in a Markdown text", () => {
  it.each(good)("is rendered if it leads to %s", async (address) => {
    const { html: made, removed } = await render(`[words](<${address}>)`);
    const rel = address.startsWith("http") ? ' rel="nofollow ugc noopener"' : "";
    const shown = address.replaceAll("&", "&amp;");
    expect(made).toBe(`<p><a href="${shown}"${rel}>words</a></p>\n`);
    expect(removed).toEqual([]);
  });

  it.each(refused)(
    "is reduced to its words if it leads to %j, and is reported as %s",
    async (address, rule) => {
      for (const source of [`[words](<${address}>)`, `[words]\n\n[words]: <${address}>`]) {
        const { html: made, removed } = await render(source);
        expect(made).toBe("<p><a>words</a></p>\n");
        expect(removed).toEqual([
          expect.objectContaining({ kind: "link", line: 1, text: "words", rule }),
        ]);
      }
    },
  );

  it.each([
    ["steam://run/440", true],
    ["https://a.example/b", true],
    ["MUMBLE://voice.example", true],
    ["ftp://files.example", false],
    ["javascript://x.example/%0Aalert(1)", false],
    ["//host.example/x", false],
    ["readme.md", false],
  ])(
    "is made from the bare address %s only if that is a safe link, which is %s",
    async (address, isLink) => {
      expect((await html(address)).includes("<a href=")).toBe(isLink);
      expect((await render(address)).removed).toEqual([]);
    },
  );

  it("may use a configured scheme, and the report of removed links names that scheme as allowed", async () => {
    const source = "[a](minecraft://play.example) minecraft://b.example [c](d:e)";
    const { html: made, removed } = await render(source, ["minecraft"]);
    expect(made).toBe(
      '<p><a href="minecraft://play.example">a</a> ' +
        '<a href="minecraft://b.example">minecraft://b.example</a> <a>c</a></p>\n',
    );
    expect(removed).toEqual([
      {
        kind: "link",
        line: 1,
        text: "c",
        address: "d:e",
        rule: "link_scheme",
        message: inWords([...standard, "minecraft"]),
      },
    ]);
  });

  const forbidden = ["javascript", "data", "file", "vbscript", "blob", "filesystem", "view-source"];

  it("never has a forbidden scheme, even if the renderer is configured with it", async () => {
    for (const scheme of forbidden) {
      expect(await html(`[a](${scheme}:b) ${scheme}://b.example`, forbidden)).not.toContain("href");
    }
  });

  it("never has a forbidden scheme, for random texts and forbidden configured schemes", async () => {
    const signs = fc.constantFrom(
      ..."[|]|(|)|<|>|`|*|_|!|&|;|#|\\|:|/|?|%|@| |\n|\t".split("|"),
      ..."\u0000 \u0001 \u000C \u007F \u00A0 \u00AD \u200B \u2028 \uFEFF".split(" "),
      ..."&colon; &#58; &#x3A; &Tab; &NewLine; &#9; &#0; %3A %09 \\:".split(" "),
      ...'[[ ]] | [^1] [^1]: ]( ][ ]: <a\thref= "'.split(" "),
    );
    const scheme = fc
      .tuple(fc.constantFrom(...forbidden), fc.array(fc.boolean(), { maxLength: 12 }), fc.nat(12))
      .map(([name, upper, at]) => {
        const mixed = name
          .split("")
          .map((sign, index) => (upper[index] ? sign.toUpperCase() : sign));
        return [mixed.slice(0, at).join(""), mixed.slice(at).join("")] as const;
      });
    const address = fc
      .tuple(signs, scheme, signs, fc.constantFrom(":", "&colon;", "&#58;", "&#x3a;", "\\:"), signs)
      .map(([before, [head, rest], within, colon, after]) =>
        [before, head, rest.length > 6 ? within : "", rest, colon, after].join(""),
      );
    const link = fc
      .tuple(
        address,
        fc.constantFrom("[x](@)", "[x](<@>)", "<@>", "[x]: @\n\n[x]", "@//x.y", "![x](@)"),
      )
      .map(([given, form]) => form.replace("@", () => given));
    const text = fc.array(fc.oneof(link, signs), { maxLength: 12 }).map((parts) => parts.join(""));
    const allowed = new Set(standard.map((name) => `${name}:`));
    await fc.assert(
      fc.asyncProperty(text, async (source) => {
        for (const protocol of protocolsIn(await html(source, forbidden))) {
          expect(allowed).toContain(protocol);
        }
      }),
      { numRuns: propertyRunsOf(4_000) },
    );
  });
});

describe("CONTENT_LINK_SCHEMES", () => {
  const schema = listValueSchema(linkSchemeSchema());

  it("accepts schemes without colons in any case, and lowercases them", () => {
    expect(schema.validate("minecraft, FiveM,web+guild").value).toEqual([
      "minecraft",
      "fivem",
      "web+guild",
    ]);
  });

  it.each([
    ["javascript", "javascript"],
    ["steam,JavaScript", "javascript"],
    ["data", "data"],
    ["file", "file"],
    ["vbscript", "vbscript"],
    ["blob", "blob"],
    ["livescript", "livescript"],
  ])("rejects the forbidden scheme in %s", (text, named) => {
    expect(schema.validate(text).error?.message).toContain(
      `must not contain ${named}: links never have this scheme`,
    );
  });

  it.each(["minecraft:", "a b", "1a", "*", "minecraft://", "a".repeat(33)])(
    "rejects %j, which is not a scheme name",
    (text) => {
      expect(schema.validate(text).error?.message).toContain("must be a scheme without its colon");
    },
  );
});
