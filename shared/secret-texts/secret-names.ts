/** What stands in the place of a secret. */
export const secretMask = "********";

/** Words that name a secret wherever they stand in a name: hardly another word holds them. */
const words =
  /token|secret|passw(?:or)?d|passwort|passphrase|passcode|webhook|connectionstring|credential|(?:api|access|private|steam)key|токен|секрет|парол|вебхук/;

/** Words that name a secret alone, or at the end of another word: `key` in `apikey`, not in `keyboard`. */
const endings = /(?:key|pass(?:e(?=s))?|pwd|ключ(?:и$)?)s?\d*$/;

/** Common words, and names of the protocol, that end in one of the endings and name no secret. */
const harmless =
  /event[\s_-]?keys?|by[\s_-]?pass(?![\s_-]?word)(?:es|ed)?|(?:com|tres|over|under|sur|encom)pass(?:es)?(?!word)|(?:mon|don|tur|hot|whis|joc|hoc)keys?/giu;

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
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(harmless, " ");
  const joined = plain.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  return words.test(joined) || plain.split(betweenWords).some((word) => isEnding(word));
}

const isEnding = (word: string): boolean => endings.test(word.toLowerCase());

const betweenWords = /[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
