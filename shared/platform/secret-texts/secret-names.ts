import unhomoglyph from "unhomoglyph";

/** What stands in the place of a secret. */
export const secretMask = "********";

/**
 * Words that name a secret wherever they stand in a name: hardly another word holds them. Latin letters are
 * without their marks here.
 */
const words = new RegExp(
  [
    "token|secret|passw(?:or)?d|passwort|passphrase|passcode|webhook|connectionstring|credential",
    "(?:api|access|private|steam)key",
    "kennwort|motdepasse|contrasena|wachtwoord|losenord|salasana|adgangskode",
    "токен|секрет|парол|вебхук",
    "密码|密碼|口令|密钥|密鑰|秘钥|令牌|パスワード|トークン|秘密鍵|비밀번호|암호|토큰|비밀키",
  ].join("|"),
);

/** Short words, also of other languages, that name a secret alone: longer words hold them by chance. */
const wholeWords =
  /^(?:senha|clave|haslo|hasło|heslo|sifre|parola|jelszo|passord|lozinka|pw|psw)s?\d*$/;

/** The header of a request, which holds a secret as a whole. */
const header = /(?<![\p{L}\p{N}])authori[sz]ation\s*$/iu;

/** Words that name a secret alone, or at the end of another word: `key` in `apikey`, not in `keyboard`. */
const endings = /(?:key|pass(?:e(?=s))?|pwd|ключ(?:и$)?)s?\d*$/;

/** Common words, and names of the protocol, that end in one of the endings and name no secret. */
const harmless =
  /(?:event[\s_-]?|mon|don|tur|hot|whis|joc|hoc)key(?:s(?!\p{L}))?|by[\s_-]?pass(?![\s_-]?w(?:or)?d)(?:es|ed)?|(?:com|tres|over|under|sur|encom)pass(?:es)?(?!w(?:or)?d)/giu;

/**
 * Whether a name says that what stands under it is secret: `API_KEY`, `botTokens`, `Discord Token
 * (Auth, see the manual)`. Case, separators and plurals do not count.
 */
export function namesSecret(name: string): boolean {
  const known = checked.get(name);
  if (known !== undefined) return known;
  const found = findsSecretWord(name);
  if (name.length > longestChecked) return found;
  if (checked.size >= mostChecked) checked.clear();
  checked.set(name, found);
  return found;
}

/** Names repeat: those of an entry of a list, of the fields of an event. */
const checked = new Map<string, boolean>();
const mostChecked = 2_000;
const longestChecked = 200;

function findsSecretWord(name: string): boolean {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .normalize("NFKC");
  return holdsSecretWord(plain) || (!isAscii(plain) && looksOf(plain).some(holdsSecretWord));
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/**
 * A name in the Latin letters that it looks like, which other scripts have too. Capitals and small letters may
 * look like different ones, and an `m` looks like `rn`.
 */
const looksOf = (name: string): string[] =>
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

/** Keys under which an entry of a list says what it is called, and those under which it says its value. */
const saysName =
  /^(?:name|key|field|header|setting|option|property|param|parameter|variable|label)$/;
const saysValue = /^(?:value|values|val|default)$/;
/** Characters of a name: longer texts are sentences, which may speak of a key. */
const longestName = 64;

const plainKey = (key: string): string => key.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Whether an entry of an object says that the value beside it is secret: `"name": "Api token"`. */
export const namesPair = (key: string, text: string): boolean =>
  text.length <= longestName && saysName.test(plainKey(key)) && namesSecret(text);

/** Whether an entry of such an object is the value that the other one names. */
export const isPairedValue = (key: string): boolean => saysValue.test(plainKey(key));
