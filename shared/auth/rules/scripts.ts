// THE rule of which scripts may meet in one name: the restriction level "moderately restrictive" of
// Unicode Technical Standard 39 (5.2). Scripts and their extensions come from the engine's Unicode data.
// Two choices of the standard are made here: names wholly in one script of limited use are let in, since
// people write with it; and characters are those of `XID_Continue`, which the engine knows, in place of
// `Identifier_Status`, which it does not.

/** Recommended scripts (UAX 31, table 5) that may stand beside Latin. */
const besideLatin = [
  "Arab Armn Beng Deva Ethi Geor Gujr Guru Hebr Khmr Knda Laoo",
  "Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt",
].flatMap(split);

/** Recommended scripts whose letters imitate those of Latin: each stands alone. */
const imitatingLatin = ["Cyrl", "Grek"];

/** How Chinese, Japanese and Korean are written, each with Latin. */
const eastAsian = ["Latn Hani Bopo", "Latn Hani Hira Kana", "Latn Hani Hang"].map(split);

/** Scripts of limited use that living people write (UAX 31, table 7): each stands alone. */
const limitedUse = [
  "Adlm Bali Bamu Batk Cakm Cans Cham Cher Hmnp Java Kali Lana Lepc Limb Lisu Mand Mtei Newa Nkoo",
  "Olck Osge Plrd Rohg Saur Sund Sylo Syrc Tale Talu Tavt Tfng Vaii Wcho Yiii",
].flatMap(split);

function split(codes: string): string[] {
  return codes.split(" ");
}

const sets: readonly (readonly string[])[] = [
  ...besideLatin.map((script) => ["Latn", script]),
  ...eastAsian,
  ...[...imitatingLatin, ...limitedUse].map((script) => [script]),
];

/** Characters that each of these scripts may use, those that all scripts share among them. */
const writtenIn = (scripts: readonly string[]): string =>
  `[${["Zyyy", "Zinh", ...scripts].map((script) => String.raw`\p{scx=${script}}`).join("")}]*`;

const covered = new RegExp(`^(?:${sets.map(writtenIn).join("|")})$`, "v");

/** Whether one writing system covers the text, so that no letter in it imitates another's. */
export const isOfOneWriting = (text: string): boolean => covered.test(text);
