import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { foldText, wordsOf } from "../../shared/content/text/fold.ts";
import { ContentTestSite } from "./desk.ts";

describe("the words of a text", () => {
  // If a Node.js release changes its dictionary, this test fails. Then increase `rendererVersion`,
  // so that stored texts are split again.
  it.each<[string, string[]]>([
    ["ฉันไปธนาคารแห่งประเทศไทย", ["ฉัน", "ไป", "ธนาคาร", "แห่ง", "ประเทศไทย"]],
    ["ตลาดน้ำดำเนินสะดวก", ["ตลาด", "น้ำ", "ดำเนินสะดวก"]],
    ["ພາສາລາວແມ່ນພາສາ", ["ພາສາ", "ລາວ", "ແມ່ນ", "ພາສາ"]],
    ["ភាសាខ្មែរគឺជាភាសាផ្លូវការ", ["ភាសាខ្មែរ", "គឺជា", "ភាសាផ្លូវការ"]],
    ["မြန်မာဘာသာစကားသည်", ["မြန်မာဘာသာ", "စကား", "သည်"].map((word) => word.normalize("NFKD"))],
    ["ดาบ3เล่ม Sword", ["ดาบ", "3", "เล่ม", "sword"]],
    ["北京歓迎", ["北", "京", "歓", "迎"]],
    ["ガイド", ["ガ", "イ", "ド"].map((sign) => sign.normalize("NFKD"))],
    ["हिन्दी में", ["हिन्दी", "में"]],
    ["Crème brûlée", ["creme", "brulee"]],
    ["שָׁלוֹם", ["שלום"]],
    ["مُحَمَّد", ["محمد"]],
    ["й ё", ["и", "е"]],
  ])("are separated even without spaces: %s gives %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each([
    ["ปลา", "ปล"],
    ["น้ำ", "นำ"],
    ["ខ្មែរ", "ខមរ"],
    ["हिन्दी", "हनद"],
    ["バス", "ハス"],
    ["かき", "かぎ"],
  ])("treat %s and %s as different words", (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it.each([
    ["น้ำ", "น\u0E49\u0E4D\u0E32"],
    ["ガ", "カ\u3099"],
    ["ｶﾞ", "ガ"],
    ["é", "e\u0301"],
  ])("treat %s and %s as the same words", (one, other) => {
    expect(wordsOf(one)).toEqual(wordsOf(other));
  });
});

describe("a search in scripts without spaces", () => {
  let desk: ContentTestSite;
  const texts = [
    ["wiki", "ธนาคารแห่งประเทศไทย", "ฉันเดินทางไปตลาดน้ำเพื่อซื้อดาบ"],
    ["posts", "ข่าวใหม่", `${"กิลด์ของเราเปิดรับสมาชิก".repeat(20)}เข้าร่วมปราสาทสีทอง`],
    ["pages", "ກົດລະບຽບ", "ພາສາລາວແມ່ນພາສາທາງການ"],
    ["wiki", "ភាសាខ្មែរ", "ភាសាខ្មែរគឺជាភាសាផ្លូវការ"],
    ["wiki", "မြန်မာစာ", "မြန်မာဘာသာစကားသည် အဓိကဖြစ်သည်"],
    ["wiki", "バスの時刻表", `${"道をまっすぐ進むと、".repeat(20)}銀行があります。`],
    ["wiki", "ハスの花", "池に咲く"],
    ["wiki", "ป่าใหญ่", "กวาง"],
    ["wiki", "ปาลูกบอล", "เกม"],
    ["wiki", "हिन्दी", "हिन्दी एक भाषा है"],
    ["wiki", "한국어", `${"길드는 항상 열려 있습니다. ".repeat(20)}은행에서 만나요`],
  ] as const;
  beforeAll(async () => {
    desk = await ContentTestSite.open();
    for (const [kind, title, body] of texts) {
      await desk.make(`/admin/${kind}`, { title, body, status: "published" });
    }
  });
  afterAll(() => desk.stop());

  const search = async (q: string) => {
    const { body } = await desk.read(`/public/search?q=${encodeURIComponent(q)}`);
    return (body as { hits: { title: string; excerpt: string }[] }).hits;
  };

  it.each<[string, string, string[]]>([
    ["a Thai word", "ธนาคาร", ["ธนาคารแห่งประเทศไทย"]],
    ["a word inside a text", "ตลาด", ["ธนาคารแห่งประเทศไทย"]],
    ["two words that are not adjacent", "ดาบตลาด", ["ธนาคารแห่งประเทศไทย"]],
    ["the beginning of a word", "ธนาค", ["ธนาคารแห่งประเทศไทย"]],
    ["the beginning of a compound word", "ประเทศไท", ["ธนาคารแห่งประเทศไทย"]],
    ["the decomposed form", "น\u0E49\u0E4D\u0E32", ["ธนาคารแห่งประเทศไทย"]],
    ["a word with its tone mark", "ป่า", ["ป่าใหญ่"]],
    ["a word that differs only by the mark", "ปา", ["ปาลูกบอล"]],
    ["a Lao word", "ພາສາ", ["ກົດລະບຽບ"]],
    ["a Khmer word", "គឺជា", ["ភាសាខ្មែរ"]],
    ["a Burmese word", "စကား", ["မြန်မာစာ"]],
    ["kana with voicing marks", "バス", ["バスの時刻表"]],
    ["kana without voicing marks", "ハス", ["ハスの花"]],
    ["kanji", "銀行", ["バスの時刻表"]],
    ["a Hindi word", "भाषा", ["हिन्दी"]],
    ["a Korean word", "은행", ["한국어"]],
    ["an unfinished Korean syllable", "은해", ["한국어"]],
  ])("finds texts by %s, %s", async (_what, q, expected) => {
    expect((await search(q)).map(({ title }) => title)).toEqual(expected);
  });

  it.each([
    ["ปราสาท", /^….*ปราสาทสีทอง$/],
    ["銀行", /^….*銀行があります。$/],
    ["은행", /^….*은행에서 만나요$/],
  ])("shows the text around %s", async (q, expected) => {
    const [hit] = await search(q);
    expect(hit?.excerpt).toMatch(expected);
    expect(hit?.excerpt).not.toMatch(/^…\p{M}/u);
  });

  it.each([
    ["/admin/wiki", "pages", "ธนาคาร", 1],
    ["/admin/wiki", "pages", "ธนคร", 0],
    ["/admin/wiki", "pages", "ハス", 1],
    ["/admin/posts", "posts", "ข่าว", 1],
    ["/admin/posts", "posts", "ขาว", 0],
  ])("filters the list %s: the number of %s found by %s is %i", async (path, key, q, count) => {
    const { body } = await desk.ask(`GET ${path}?q=${encodeURIComponent(q)}`);
    expect((body as Record<string, unknown[]>)[key]).toHaveLength(count);
  });

  it("stores words with combining marks whole in the index", async () => {
    const { sequelize } = desk.server.context;
    const [found] = await sequelize.query(
      "select word from ts_stat('select words from search_entries') where word in ('น้ำ', 'हिन्दी')",
    );
    expect(found).toHaveLength(2);
  });
});
