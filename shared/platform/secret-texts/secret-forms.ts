import { isSecretName, secretMask } from "./secret-names.ts";

/** A character of a URL inside a text, which may be JSON. */
const sign = String.raw`[^\s"'<>\\]`;
const start = String.raw`(?<![A-Za-z0-9])`;
const any = (least: number): string => String.raw`[\w-]{${least},}`;
/** Schemes and hosts are case-insensitive. */
const anyCase = (form: string): string => `(?i:${form})`;

/** CATALOGUE of the forms of secrets. Lookaheads are bounded, so that hostile texts take linear time. */
const forms = {
  /**
   * Webhook URLs of Discord, Slack, Teams and others. They have a digit after the word `webhook` or `hook`;
   * URLs of pages about webhooks have none.
   */
  webhook: anyCase(
    String.raw`${start}https?:\/\/(?=${sign}{0,256}(?:webhook\w?s?(?:\.[\w.-]{1,64})?|\/hooks?|\/\/hooks?\.[\w.-]{1,64})\/${sign}{0,256}\d)${sign}+`,
  ),
  discordHook: anyCase(
    String.raw`${start}discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/\d+\/${sign}+`,
  ),
  slackHook: anyCase(String.raw`${start}(?:https?:\/\/)?hooks\.slack\.com\/${sign}+`),
  iftttHook: anyCase(
    String.raw`${start}(?:https?:\/\/)?maker\.ifttt\.com\/${sign}{0,256}\/key\/${sign}+`,
  ),
  userInfo: String.raw`${start}[A-Za-z][A-Za-z0-9+.-]{1,31}:\/\/[^\s"'<>\\/?#]{1,512}@${sign}*`,
  /** A password in a URL, with characters that should be percent-encoded. `host:port` does not match. */
  oddUserInfo: String.raw`${start}[A-Za-z][A-Za-z0-9+.-]{1,31}:\/\/[^\s"'<>\\/?#@:]{1,256}:(?!\d{1,5}[\/?#])[^\s"'<>\\@]{1,512}@${sign}*`,
  /** A password in a URL without a scheme, as database drivers accept it. */
  bareUserInfo: String.raw`${start}[\w.-]{1,64}:[^\s"'<>\\@:]{1,256}@[\w.-]{1,256}:\d{2,5}(?!\d)${sign}*`,
  telegramBot: String.raw`${anyCase(String.raw`(?:https?:\/\/api\.telegram\.org\/)?bot\d{5,}:${any(20)}`)}${sign}*|${start}\d{6,12}:${any(30)}`,
  jwt: String.raw`${start}eyJ${any(8)}\.${any(8)}\.[\w-]*`,
  discordBot: String.raw`${start}[MNO][\w-]{22,}\.[\w-]{6,7}\.${any(27)}|${start}mfa\.${any(60)}`,
  /** Keys of this site: of plugins, and of game servers that send reports. */
  ownKey: String.raw`${start}gh[kr]_[\w-]{43}`,
  /** The address and the key to which a game sends reports, as its console or its configuration shows them. */
  reportsEndpoint: String.raw`(?<=\bserver\.reports[Ss]erver[Ee]ndpoint(?:[Kk]ey)?"?:?[ \t]{1,4}\\{0,2}"?)${sign}+`,
  gitHub: String.raw`${start}(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-${any(16)})`,
  slack: String.raw`${start}(?:xox[a-z]|xapp)-${any(8)}`,
  stripe: String.raw`${start}(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9+/=]{12,}`,
  cloud: String.raw`${start}(?:AKIA[0-9A-Z]{16}|AIza${any(30)}|sk-${any(20)}|SG\.${any(16)}\.${any(16)}|npm_[A-Za-z0-9]{30,}|ght_${any(20)})`,
  header: String.raw`${start}(?:[Bb]earer|[Bb]asic)\s(?=[A-Za-z]{0,40}[\d+/=._-])[\w.~+/-]{12,}=*`,
  privateKey: String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END)[^"]){0,8192}(?:-----END[A-Z -]{0,60})?`,
} as const;

export type SecretFormName = keyof typeof forms;

const anyForm = new RegExp(Object.values(forms).join("|"), "g");

/** Forms that contain an `@`. Most lines have none, so they skip the search for these forms. */
const formsWithAt: readonly string[] = ["userInfo", "oddUserInfo", "bareUserInfo"];
const anyFormWithoutAt = new RegExp(
  Object.entries(forms)
    .filter(([name]) => !formsWithAt.includes(name))
    .map(([, form]) => form)
    .join("|"),
  "g",
);

/** `?key=…` of a URL, or `Pwd=…` of a connection string. */
const parameter =
  /(?<![\w.%[\]-])([\w.%[\]-]{1,64})([ \t]?=[ \t]?(?:\\?["'])?)((?:(?!\*{8})[^\s&;#"'<>\\,])+)/g;
const signatures = /^(?:sig|sign|signature|auth|authorization)$/i;

export const maskSecretForms = (text: string): string =>
  text
    .replaceAll(text.includes("@") ? anyForm : anyFormWithoutAt, secretMask)
    .replaceAll(parameter, (all, name: string, between: string) =>
      isSecretName(decoded(name)) || signatures.test(decoded(name))
        ? name + between + secretMask
        : all,
    );

function decoded(name: string): string {
  if (!name.includes("%")) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** `"token": "…"` of JSON inside a text, with plain or escaped quotes. */
const quotedPair =
  /((?:\\{0,7}["'])([^"'\\]{1,64})(?:\\{0,7}["'])\s{0,8}[:=]\s{0,8}(?:\\{0,7}["'])?)((?:(?!\*{8})[^\s"'\\,}\]])[^"'\\,}\]]*)/g;

/** `Invalid API key: …` of a console, where the words before the colon name the secret. */
const plainPair =
  /(?<![\p{L}\p{N}])([\p{L}][\p{L}\p{N}_-]{0,63})(\)?:[ \t]+)((?:(?!\*{8})[^\s"'])\S{3,})/gu;

/** Masks secrets in program output, including values after a name and a colon. */
export const maskSecretsInOutput = (text: string): string =>
  maskSecretText(text).replaceAll(plainPair, (all, name: string, between: string) =>
    isSecretName(name) ? name + between + secretMask : all,
  );

/** Masks texts that have the form of a secret, and values whose name in nested JSON marks them. */
export const maskSecretText = (text: string): string =>
  maskSecretForms(text).replaceAll(quotedPair, (all, before: string, name: string) =>
    isSecretName(name) ? before + secretMask : all,
  );

/** A line that is a name and its value, such as the request header `X-Api-Key: …`. */
const namedLine =
  /^[ \t]{0,8}([\p{L}\p{N}_ .-]{1,64}?)[ \t]{0,8}:[ \t]{0,8}(?:(?:bearer|basic|bot|token)[ \t]{1,8})?(?![{<%])\S{4,}[ \t]{0,8}$/gimu;

const holdsNamedLine = (text: string): boolean =>
  [...text.matchAll(namedLine)].some(([, name = ""]) => isSecretName(name));

/** Returns true if a text is or contains a secret by its form, or is long and random. */
export const containsSecret = (text: string): boolean =>
  mayHoldSecret.test(text) &&
  (isRandom(text) || maskSecretText(text) !== text || holdsNamedLine(text));

/** Matches every text that contains a secret. Most other texts do not match and need no slower search. */
const mayHoldSecret = /[=:@-]|[\w.~+/-]{11}/;

/** Minimum length of a random secret. Shorter texts are colors, ids and the like. */
const shortestRandom = 32;
/** Minimum bits per character. Words and paths have about four, random letters and digits over 4.5. */
const leastEntropy = 4.25;

/**
 * True if the whole text is a long hexadecimal number or random letters and digits. Parts of a longer
 * text are not tested, because they are often hashes of files and pictures.
 */
function isRandom(text: string): boolean {
  if (text.length < shortestRandom) return false;
  if (/^[\da-f]+$/i.test(text)) return /\d/.test(text) && /[a-f]/i.test(text);
  const isKeyLike = /^[\w+/-]+={0,2}$/.test(text);
  return isKeyLike && [/[A-Z]/, /[a-z]/, /\d/].every((sort) => sort.test(text)) && isDense(text);
}

function isDense(text: string): boolean {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return shares.reduce((sum, share) => sum - share * Math.log2(share), 0) >= leastEntropy;
}
