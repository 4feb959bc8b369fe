import unhomoglyph from "unhomoglyph";

export const secretMask = "********";

/** Words that mark a secret anywhere in a name, compared without diacritics. */
const words = new RegExp(
  [
    "token|secret|passw(?:or)?d|passwort|passphrase|passcode|webhook|connectionstring|credential",
    "(?:api|access|private|steam)key",
    "kennwort|motdepasse|contrasena|wachtwoord|losenord|salasana|adgangskode",
    "токен|секрет|парол|вебхук",
    "密码|密碼|口令|密钥|密鑰|秘钥|令牌|パスワード|トークン|秘密鍵|비밀번호|암호|토큰|비밀키",
  ].join("|"),
);

/** Short words that mark a secret only as whole words, because longer words contain them by chance. */
const wholeWords =
  /^(?:senha|clave|haslo|hasło|heslo|sifre|parola|jelszo|passord|lozinka|pw|psw)s?\d*$/;

/** The name of a request header whose whole value is secret. */
const header = /(?<![\p{L}\p{N}])authori[sz]ation\s*$/iu;

/** Words that mark a secret alone or at the end of a word: `key` in `apikey`, not in `keyboard`. */
const endings = /(?:key|pass(?:e(?=s))?|pwd|ключ(?:и$)?)s?\d*$/;

/** Common words, and names of the protocol, that end like a secret's name but name no secret. */
const harmless =
  /(?:event[\s_-]?|mon|don|tur|hot|whis|joc|hoc)key(?:s(?!\p{L}))?|by[\s_-]?pass(?![\s_-]?w(?:or)?d)(?:es|ed)?|(?:com|tres|over|under|sur|encom)pass(?:es)?(?!w(?:or)?d)/giu;

/**
 * True if a name marks its value as secret: `API_KEY`, `botTokens`. Case, separators and plurals are
 * ignored.
 */
export function isSecretName(name: string): boolean {
  const known = checkedNames.get(name);
  if (known !== undefined) return known;
  const found = findsSecretWord(name);
  if (name.length > longestChecked) return found;
  if (checkedNames.size >= mostChecked) checkedNames.clear();
  checkedNames.set(name, found);
  return found;
}

/** Caches results, because the same names repeat in lists and events. */
const checkedNames = new Map<string, boolean>();
const mostChecked = 2_000;
const longestChecked = 200;

function findsSecretWord(name: string): boolean {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .normalize("NFKC");
  return holdsSecretWord(plain) || (!isAscii(plain) && lookalikesOf(plain).some(holdsSecretWord));
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/**
 * Returns the Latin letters that a name looks like, such as `m` for `rn`. Letters of different case look
 * different, so both cases are tried.
 */
const lookalikesOf = (name: string): string[] =>
  [name, name.toLowerCase()].map((form) => unhomoglyph(form).replaceAll("rn", "m"));

function holdsSecretWord(name: string): boolean {
  const plain = name.replaceAll(harmless, " ");
  const joined = plain.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (words.test(joined) || header.test(plain)) return true;
  return plain.split(betweenWords).some((word) => isEnding(word) || isWholeWord(word));
}

const isWholeWord = (word: string): boolean => wholeWords.test(word.toLowerCase());

const isEnding = (word: string): boolean => endings.test(word.toLowerCase());

const betweenWords = /[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** JSON keys that hold the name in an object with a name and a value. `valueKeys` below hold the value. */
const nameKeys =
  /^(?:name|key|field|header|setting|option|property|param|parameter|variable|label)$/;
const valueKeys = /^(?:value|values|val|default)$/;
/** Maximum length of a name in characters. Longer texts are sentences that may mention a key. */
const longestName = 64;

const plainKey = (key: string): string => key.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Returns true if an entry marks the value next to it as secret: `"name": "Api token"`. */
export const isSecretNameEntry = (key: string, text: string): boolean =>
  text.length <= longestName && nameKeys.test(plainKey(key)) && isSecretName(text);

export const isPairedValueKey = (key: string): boolean => valueKeys.test(plainKey(key));
