import { en, type ConsoleTexts } from "./en.ts";

/** The texts of the console in the person's language. */
export let words: ConsoleTexts = en;

/** The language of the texts, for dates and numbers. */
export let language = "en";

const others: Readonly<Record<string, () => Promise<ConsoleTexts>>> = {
  de: async () => (await import("./de.ts")).de,
};

/** Loads the texts of the first of these languages that the console has. English is the default. */
export async function loadConsoleTexts(languages: readonly string[]): Promise<void> {
  const codes = languages.map((one) => one.slice(0, 2).toLowerCase());
  const code = codes.find((one) => one === "en" || one in others) ?? "en";
  const load = others[code];
  if (load) words = await load();
  const exact = languages[codes.indexOf(code)];
  language = exact ?? code;
  document.documentElement.lang = code;
}
