import { createPage, type NewPage } from "../../shared/content/pages.ts";
import { createPost, type NewPost } from "../../shared/content/posts/write-post.ts";
import {
  changeWikiPage,
  createWikiPage,
  type NewWikiPage,
} from "../../shared/content/wiki/write-wiki-page.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";

/** Writes news, a small wiki and pages, unless the site has content already. */
export async function ensureContent(editor: Caller, context: SiteContext): Promise<void> {
  const { Post, WikiPage, Page } = context.models;
  if ((await Post.count()) === 0) await writePosts(editor, context);
  if ((await WikiPage.count()) === 0) await writeWiki(editor, context);
  if ((await Page.count()) === 0) {
    for (const page of pages) await createPage(page, editor, context);
  }
}

const dayMs = 86_400_000;

/** Writes published posts, the oldest first, then a scheduled post and a draft. */
async function writePosts(editor: Caller, context: SiteContext): Promise<void> {
  const now = Date.now();
  for (const [index, post] of posts.entries()) {
    const published_at = new Date(now - (posts.length - index) * 3 * dayMs);
    await createPost({ status: "published", published_at, ...post }, editor, context);
  }
  const published_at = new Date(now + 7 * dayMs);
  const [tournament, draft] = waiting;
  await createPost({ ...tournament, status: "scheduled", published_at }, editor, context);
  await createPost({ ...draft, status: "draft" }, editor, context);
}

async function writeWiki(editor: Caller, context: SiteContext): Promise<void> {
  for (const page of wiki) await createWikiPage({ status: "published", ...page }, editor, context);
  // Correct and rename a page, so that it has a history and a former slug.
  await changeWikiPage(
    "gold",
    {
      slug: "gold-and-banks",
      title: "Gold and banks",
      note: "It tells of banks too",
    },
    editor,
    context,
  );
}

const posts: readonly NewPost[] = [
  {
    title: "The gates are open",
    body: "The shard is up, and its site with it.\n\nMake an account here, link your game account with the code that the stone in Britain gives you, and see you at the bank.",
    tags: ["announcement"],
    pinned: true,
  },
  {
    title: "How to reach the staff",
    body: "Use the **Help** button in game: a page reaches every moderator who is on. For everything that can wait, write to us here.\n\nSee the [rules](/pages/rules) first.",
    tags: ["announcement"],
  },
  {
    title: "Vendors on the web",
    body: "What player vendors sell can be searched from the site now: by name, price and place.\n\n- Prices are as of the last minute.\n- Vendors in private houses are listed too.\n\nThe wiki says [[How vendors work]].",
    tags: ["site", "market"],
  },
  {
    title: "Houses in danger",
    body: "Houses that are about to collapse are listed with their place. Be quick, be kind, and leave the deed boxes alone.",
    tags: ["site", "housing"],
  },
  {
    title: "A champion falls at the Lost Lands",
    body: "Twenty-three of you stood against the *Harrower* for two hours. The skull is on show in the museum of Moonglow.\n\n> I have never run so much in my life.\n>\n> — a mage who asked not to be named",
    tags: ["events", "stories"],
  },
  {
    title: "Balance changes in autumn",
    body: "| what | before | after |\n|---|---:|---:|\n| Bandages outside of towns | 4 s | 3 s |\n| Recall by runebook | 11 mana | 9 mana |\n| Gate travel | 40 mana | 40 mana |\n\nTell us what you think of it.",
    tags: ["changes"],
  },
  {
    title: "Market day in Luna",
    body: "Every Saturday at eight in the evening the guilds put up their stalls around the fountain of Luna. Bring gold; the bank is near.",
    tags: ["events", "market"],
  },
  {
    title: "Крафтовый турнир",
    body: "Кузнецы, портные и плотники встречаются в Минок. Лучший меч получит имя своего мастера.",
    tags: ["events"],
  },
  {
    title: "Governors were elected",
    body: "Seven towns have a governor again. Their first act in Yew was to plant trees.",
    tags: ["towns"],
  },
  {
    title: "A night of maintenance",
    body: "The shard moves to another machine. It is down for about an hour; status and market stay readable meanwhile.",
    tags: ["announcement", "changes"],
  },
  {
    title: "New dungeon: the drowned library",
    body: "Below Nujel'm the sea has given something back.\n\n## What is known\n\n1. Books float.\n2. What reads them does not like light.\n\n## What is not\n\nThe way down. Start with [[Moongates]].",
    tags: ["changes", "stories"],
  },
  {
    title: "Winter in Britain",
    body: "Snow lies on the roofs of the bank, the fountain is frozen, and somebody has put a hat on the statue.\n\nPresents lie under the tree at Lord British's castle until the new year.",
    tags: ["events"],
  },
];

const waiting: readonly [NewPost, NewPost] = [
  {
    title: "Tournament of the seven towns",
    body: "Each town sends five. Names are taken by the governors until the evening before.",
    tags: ["events", "towns"],
  },
  {
    title: "Notes for the spring patch",
    body: "Not for players yet: taming, ships, and the third attempt at farming.",
    tags: ["changes"],
  },
];

const wiki: readonly NewWikiPage[] = [
  {
    title: "Getting started",
    body: "# First steps\n\nYou wake up in New Haven. Talk to everybody with a yellow name, and take what they give you.\n\n## Where to go\n\nThe [[Moongates]] lead to every large town. Keep your gold at the bank: see [[Gold]].\n\n## Whom to ask\n\nAnybody at the bank of Britain.",
    category: "Guides",
    tags: ["newcomers"],
  },
  {
    title: "Moongates",
    body: "# Moongates\n\nBlue gates stand outside of every large town, and lead to all the others. They ask nobody for anything.\n\n## Facets\n\nThe gates of **Felucca** are red with reason: there you can be robbed.",
    category: "Places",
    tags: ["travel", "newcomers"],
  },
  {
    title: "Gold",
    body: "Gold weighs something. Banks take it, in any town, and give it back in any other.",
    category: "Guides",
    tags: ["newcomers", "trade"],
  },
  {
    title: "How vendors work",
    body: "# Vendors\n\nA vendor stands in a house and sells for its owner, day and night.\n\n- It takes a wage every day.\n- It leaves, with all it has, when it is not paid.\n\nWhat vendors sell is listed on the site.",
    category: "Guides",
    tags: ["trade", "housing"],
  },
  {
    title: "Britain",
    body: "The largest town, with three banks, two graveyards and no parking for llamas. Café Crème, near the west bank, is where guilds recruit.",
    category: "Places",
    tags: ["towns"],
  },
  {
    title: "Housing",
    body: "# Houses\n\nA deed, a free place, and friends who do not mind the walk.\n\n## Decay\n\nA house that nobody visits decays, stage by stage, until it is *in danger of collapsing*. Visit it once in five days.",
    category: "Guides",
    tags: ["housing"],
  },
  {
    title: "Blacksmithy",
    body: "Iron from the mountains, a forge, an anvil, and patience. Colours other than iron come with skill: see [[Mining]].",
    category: "Skills",
    tags: ["crafting"],
  },
  {
    title: "Mining",
    body: "Dig where the rock is dark. An elemental means that you found something good.",
    category: "Skills",
    tags: ["crafting"],
  },
  {
    title: "Заклинания",
    body: "Восемь кругов, шестьдесят четыре заклинания. Реагенты продаются у мага в любом городе.",
    category: "Skills",
    tags: ["magic"],
  },
  {
    title: "Dungeons to come",
    body: "A list for staff who write the next ones.",
    category: "Places",
    status: "draft",
  },
];

const pages: readonly NewPage[] = [
  {
    title: "Rules",
    body: "# Rules\n\n1. Be kind to each other.\n2. One person, one account at a time.\n3. No programs that play for you.\n\nWho breaks them is told, then muted, then banned.",
    nav_order: 10,
    status: "published",
  },
  {
    title: "How to connect",
    body: "# How to connect\n\nInstall the client, point it to `play.example.org`, port `2593`, and sign in with your game account.",
    nav_order: 20,
    status: "published",
  },
  {
    title: "Discord and voice",
    body: "The invitation is for members: `https://discord.example/guild`.",
    nav_order: 30,
    audience: "logged_in",
    status: "published",
  },
  {
    title: "Handbook of the staff",
    body: "Answer a page within the hour. Ban for what was done, not for who did it. Write down why.",
    nav_order: 40,
    audience: "staff",
    status: "published",
  },
  { title: "Imprint", body: "Who runs this site.", status: "published" },
  { title: "Donations", body: "Not decided yet.", nav_order: 50 },
];
