import { clockNow } from "../../../models/queries/clock.ts";
import { forEachUser, type FixtureContext, nth } from "./planting.ts";

export async function insertContentFixtures(planting: FixtureContext): Promise<void> {
  const { models } = planting;
  const lines = forEachUser(planting, (_, actorId) => ({ actorId, action: "planted" }));
  await models.ActivityEntry.bulkCreate(lines);
  await plantPosts(planting);
  await plantWiki(planting);
}

const text = { title: "A title", body: "", bodyHtml: "", renderer: 1, folded: "a title" };

async function plantPosts(planting: FixtureContext): Promise<void> {
  const { models } = planting;
  const posts = await models.Post.bulkCreate(
    forEachUser(planting, (n, authorId) => ({
      ...text,
      slug: `post-${n}`,
      autoExcerpt: "",
      status: "published" as const,
      authorId,
      publishedAt: clockNow(),
    })),
  );
  const words = { text: "planted", heading: "planted", words: "planted" };
  await models.SearchEntry.bulkCreate(
    posts.map(({ id: refId, slug, title }) => ({
      ...words,
      type: "post" as const,
      refId,
      slug,
      title,
      audience: "anonymous" as const,
      visibleFrom: clockNow(),
    })),
  );
  await models.SearchWord.create({ word: "planted", latin: "planted" });
}

async function plantWiki(planting: FixtureContext): Promise<void> {
  const { models } = planting;
  const categories = await models.WikiCategory.bulkCreate(
    forEachUser(planting, (n) => ({ slug: `category-${n}`, name: "A name" })),
  );
  const pages = await models.WikiPage.bulkCreate(
    forEachUser(planting, (n, updatedBy) => ({
      ...text,
      slug: `page-${n}`,
      categoryId: nth(categories, n).id,
      toc: [],
      status: "published" as const,
      updatedBy,
    })),
  );
  const { id: pageId } = nth(pages, 1);
  await models.WikiRevision.bulkCreate(
    forEachUser(planting, (revision, authorId) => ({
      pageId,
      revision,
      title: "A title",
      body: "",
      authorId,
    })),
  );
}
