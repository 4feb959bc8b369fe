import { describe, expect, it } from "vitest";

import {
  maskPayloadText,
  maskSecretsInLines,
  SecretFinder,
} from "../../shared/platform/secret-texts/secret-finder.ts";
import {
  maskSecretForms,
  type SecretFormName,
  containsSecret,
} from "../../shared/platform/secret-texts/secret-forms.ts";
import { isSecretName, secretMask } from "../../shared/platform/secret-texts/secret-names.ts";

const letters = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG";

/**
 * Sample secrets of each form. They are put together here, so that secret scanners do not report
 * this file.
 */
const samples: Readonly<Record<SecretFormName, readonly string[]>> = {
  webhook: [
    `https://discord.com/api/webhooks/1234567890/${letters}`,
    `https://discordapp.com/api/v10/webhooks/1234567890/${letters}?wait=true`,
    `https://contoso.webhook.office.com/webhookb2/${letters}/IncomingWebhook/1`,
    `https://outlook.office.com/webhook/${letters}`,
    `https://chat.example.org/hooks/${letters}`,
    "http://discord.example/api/webhooks/1/canary-webhook-token",
    `HTTPS://Discord.com/API/Webhooks/1234567890/${letters}`,
  ],
  discordHook: [
    `discord.com/api/webhooks/1234567890/${letters}`,
    `Discord.com/api/v10/webhooks/1234567890/${letters}`,
  ],
  slackHook: [
    `https://hooks.slack.com/services/T00000000/B00000000/${letters}`,
    `Https://Hooks.Slack.com/services/T00000000/B00000000/${letters}`,
    `hooks.slack.com/services/T00000000/B00000000/${letters}`,
  ],
  iftttHook: [`https://maker.ifttt.com/trigger/raid/with/key/${letters}`],
  userInfo: ["mysql://rust:pw@10.0.0.7:3306/kits", "https://abc@example.org/", "ftp://a:b@c"],
  oddUserInfo: [
    "mysql://rust:p/w@10.0.0.7:3306/kits",
    "mysql://rust:p#w@10.0.0.7/kits",
    "mysql://rust:p?w:x@10.0.0.7/kits",
  ],
  bareUserInfo: ["rust:canary@10.0.0.7:3306/kits", "rust:canary@db.example:27017"],
  telegramBot: [
    `https://api.telegram.org/bot1234567890:${letters}/sendMessage`,
    `https://API.telegram.org/bot1234567890:${letters}/sendMessage`,
    `1234567890:AA${letters}`,
  ],
  jwt: [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${letters}`],
  discordBot: [`MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.${letters}abcd`, `mfa.${letters.repeat(3)}`],
  ownKey: [`ghk_${letters}-_0000000-0`, `ghr_0-${letters}_00000000`],
  reportsEndpoint: [
    `server.reportsServerEndpoint "https://reports.example/${letters}"`,
    `server.reportsserverendpoint: "https://reports.example/abc"`,
    `server.reportsServerEndpointKey \\"abc-def-ghi\\"`,
  ],
  gitHub: [`ghp_${letters}0000`, `github_pat_11${letters}`, `glpat-${letters}`],
  slack: [`xoxb-123456789012-${letters}`, `xapp-1-${letters}`],
  stripe: [`sk_live_${letters}`, `whsec_${letters}`],
  cloud: [
    ["AKIA", "ABCDEFGHIJKLMNOP"].join(""),
    `AIza${letters}abc`,
    `sk-${letters}`,
    `ght_${letters}`,
  ],
  header: [`Bearer ${letters}`, "Authorization: Basic cnVzdDpwYXNzd29yZA=="],
  privateKey: ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----"],
};

describe("a secret", () => {
  it.each(Object.entries(samples))(
    "is masked in any text if it has the form %s",
    (_form, texts) => {
      for (const text of texts) {
        expect([text, containsSecret(text)]).toEqual([text, true]);
        const covered = maskSecretForms(`Sent "${text}" to it`);
        expect([text, covered.includes(secretMask), covered.includes(text)]).toEqual([
          text,
          true,
          false,
        ]);
      }
    },
  );

  it.each([
    ["https://example.org/map?key=abc", "https://example.org/map?key=********"],
    [
      "https://example.org/?a=1&access_token=abc&b=2",
      "https://example.org/?a=1&access_token=********&b=2",
    ],
    ["https://x.example/?sig=a%2Fb#top", "https://x.example/?sig=********#top"],
    ["https://x.example/?t%6Fken=abc&b=%", "https://x.example/?t%6Fken=********&b=%"],
    ["Server=10.0.0.7;Uid=rust;Pwd=canary;Port=1", "Server=10.0.0.7;Uid=rust;Pwd=********;Port=1"],
    ["host=db password='x y' dbname=kits", "host=db password='******** y' dbname=kits"],
  ])("is masked if it is a parameter: %s", (text, covered) => {
    expect([maskSecretForms(text), containsSecret(text)]).toEqual([covered, true]);
  });

  it.each([
    '{"token":"abc"}',
    String.raw`{\"Api key\": \"abc\"}`,
    String.raw`{\\\"Api key\\\": \\\"abc\\\"}`,
    "X-Api-Key: canary",
    "Authorization: Bot canary",
    "user: rust\r\npassword: canary\r\n",
    "0123456789abcdef0123456789ABCDEF",
    letters,
  ])("is detected in %s", (text) => {
    expect(containsSecret(text)).toBe(true);
  });

  it.each([
    "https://support.discord.com/hc/en-us/articles/228383668-Intro-to-Webhooks",
    "https://docs.example.org/webhooks/introduction",
    "https://steamcommunity.com/dev/apikey",
    "https://i.imgur.com/aB3dE6g.png?width=512&height=512",
    "https://cdn.example.org/0123456789abcdef0123456789abcdef/kit.png",
    "https://medium.com/@robin/how-to",
    "https://x.example:8080/@robin",
    "Press the key: it opens",
    "Key: {0}",
    "Wipe: Thursday",
    "12:30:10@oak",
    "assets/prefabs/deployable/large wood storage/box.wooden.large.prefab",
    "assets/bundled/prefabs/autospawn/monument/large/launch_site_1.prefab",
    "6f1c3c5e-0000-4000-8000-0000000000dd",
    "76561198012345678",
    "18446744073709551615",
    "[#ffaa55]{0}[/#] has <color=#ff5533>{1}</color> points",
    "You need the permission kits.vip to use /kit vip",
    "Time: 10:30:00",
    "robin@example.org",
    "OxideExtensionsDiscordPluginsConfiguration",
    "AnchorMin = 0.5 0.5",
    "",
  ])("is not detected in %s", (text) => {
    expect([maskSecretForms(text), containsSecret(text)]).toEqual([text, false]);
  });

  it.each([
    "key",
    "Keys",
    "API_KEY_2",
    "steamApiKey",
    "STEAMAPIKEY",
    "apikeys",
    "KeyID",
    "Steam API key (get one here https://steamcommunity.com/dev/apikey)",
    "Discord Token (Auth, see the manual)",
    "tokens",
    "botTokenForChat",
    "Pass",
    "DB passwords",
    "pass_word",
    "rconPwd",
    "Webhook",
    "Web hook address",
    "kills-webhooks-by-server",
    "Connection String (MySQL)",
    "client-secret",
    "Credentials",
    "Ｔｏｋｅｎ",
    "to\u200Bken",
    "Токен бота",
    "API ключ",
    "Пароль базы",
    "pаssword",
    "TОKEN",
    "ΤΟΚΕΝ",
    "pássword",
    "pass\u3164word",
    "Mot de passe",
    "Contraseña",
    "Senha do banco",
    "Hasło",
    "ŞİFRE",
    "密码",
    "パスワード",
    "비밀번호",
    "EventKeySecret",
    "bypasswd",
    "mysqlPW",
    "Proxy-Authorization",
  ])("is assumed in a field named %s", (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    "Keyboard",
    "Keycard level",
    "Passage",
    "Passive",
    "Bypass permission",
    "ByPass cooldown",
    "Compass",
    "Hotkey",
    "Hotkeys",
    "EventKeyId",
    "Monkeys",
    "Chosen hat",
    "Authorization level",
    "Cooldown",
    "Auth level",
    "",
  ])("is not assumed in a field named %j", (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe("program output", () => {
  it("is shown with known secrets masked, the longest first, even if they overlap", () => {
    const lines = [
      "key-12 and key-1 for abcd",
      'as "a\\"bcd" and a"bcd',
      "$& stays",
      "say abcdefgh!",
    ];
    expect(maskSecretsInLines(lines, ["key-1", "key-12", "abcd", 'a"bcd', "cdefgh", ""])).toEqual([
      `${secretMask} and ${secretMask} for ${secretMask}`,
      `as "${secretMask}" and ${secretMask}`,
      "$& stays",
      `say ${secretMask}!`,
    ]);
  });

  it("is shown with a secret masked even if the secret is split at a line end or has several lines", () => {
    const lines = ["connecting with canary-ap", "ary-api-key now", "first line", "(second line)"];
    expect(maskSecretsInLines(lines, ["canary-api-key", "first line\nsecond line\n"])).toEqual([
      `connecting with ${secretMask}`,
      `${secretMask} now`,
      secretMask,
      `(${secretMask})`,
    ]);
  });

  it("is shown with unknown secrets masked by their form or by the name before them", () => {
    const lines = [
      `posting to https://discord.com/api/webhooks/1/${letters}`,
      "Invalid API key: k-123 (see the manual)",
      'read {"Token": "t-1"}, Cooldown: 30',
      "Unexpected token: }. Path: kits",
    ];
    expect(maskSecretsInLines(lines, [])).toEqual([
      `posting to ${secretMask}`,
      `Invalid API key: ${secretMask} (see the manual)`,
      `read {"Token": "${secretMask}"}, Cooldown: 30`,
      "Unexpected token: }. Path: kits",
    ]);
  });

  it("is masked quickly even if it is long and repetitive", () => {
    const units = [
      "https://",
      "a://",
      "bot12345:",
      "eyJ",
      "key=",
      "key: ",
      '"key":"',
      "-----BEGIN ",
      "x.",
      "мое",
      "x:y@",
      "x-",
      "https://x:",
      "maker.ifttt.com/",
      " ",
      "x \t",
      "x: ",
      "\n",
    ];
    for (const unit of units) {
      const text = unit.repeat(200_000 / unit.length);
      expect(maskSecretsInLines([text], ["canary-api-key"])[0]).toBeDefined();
      expect([unit, typeof containsSecret(`${text}=`)]).toEqual([unit, "boolean"]);
      expect([unit, typeof isSecretName(text)]).toEqual([unit, "boolean"]);
    }
    expect(isSecretName(`x${"\u0301".repeat(200_000)}`)).toBe(false);
  });
});

describe("known secrets", () => {
  it("are found in URL-encoded texts", () => {
    const finder = new SecretFinder(["a b/c", "no"]);
    expect([finder.isIn("x?y=a%20b%2Fc"), finder.isIn("no")]).toEqual([true, false]);
  });
});

describe("a payload", () => {
  it("is stored with its secrets masked and the rest unchanged", () => {
    const payload = {
      name: "Kits",
      Tokens: { bot: "t-1", list: ["t-2", 3, true, null, ""] },
      said: `posted to https://discord.com/api/webhooks/1/${letters}`,
      hash: "0123456789abcdef0123456789abcdef",
    };
    expect(JSON.parse(maskPayloadText(JSON.stringify(payload)))).toEqual({
      ...payload,
      Tokens: { bot: secretMask, list: [secretMask, secretMask, true, null, ""] },
      said: `posted to ${secretMask}`,
    });
    const plain = '{"message":"hello"}';
    expect(maskPayloadText(plain)).toBe(plain);
  });

  it("is stored with a value masked if a neighboring field has the name of a secret", () => {
    const payload = [
      { name: "Api token", value: "t-1", note: "on" },
      { value: { pin: 1, on: true }, Header: "X-Api-Key" },
      { name: "Color", value: "red" },
    ];
    expect(JSON.parse(maskPayloadText(JSON.stringify(payload)))).toEqual([
      { name: "Api token", value: secretMask, note: "on" },
      { value: { pin: secretMask, on: true }, Header: "X-Api-Key" },
      { name: "Color", value: "red" },
    ]);
  });
});
