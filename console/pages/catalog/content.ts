import type { PageDeclaration } from "./page.ts";

/** The pages about posts, wiki pages and site pages. */
export const contentPages: readonly PageDeclaration[] = [
  {
    path: "/console/posts",
    name: "posts",
    needs: "GET /admin/posts",
    load: async () => (await import("../posts/list.ts")).Posts,
  },
  {
    path: "/console/posts/new",
    within: "/console/posts",
    name: "newPost",
    needs: "POST /admin/posts",
    load: async () => (await import("../posts/detail.ts")).NewPost,
  },
  {
    path: "/console/posts/:id",
    within: "/console/posts",
    name: "post",
    needs: "GET /admin/posts/{id}",
    load: async () => (await import("../posts/detail.ts")).PostDetail,
  },
  {
    path: "/console/wiki",
    name: "wiki",
    needs: "GET /admin/wiki",
    load: async () => (await import("../wiki/list.ts")).Wiki,
  },
  {
    path: "/console/wiki/new",
    within: "/console/wiki",
    name: "newWikiPage",
    needs: "POST /admin/wiki",
    load: async () => (await import("../wiki/detail.ts")).NewWikiPage,
  },
  {
    path: "/console/wiki/:slug",
    within: "/console/wiki",
    name: "wikiPage",
    needs: "GET /admin/wiki/{slug}",
    load: async () => (await import("../wiki/detail.ts")).WikiDetail,
  },
  {
    path: "/console/wiki/:slug/revisions",
    within: "/console/wiki",
    name: "wikiRevisions",
    needs: "GET /admin/wiki/{slug}/revisions",
    load: async () => (await import("../wiki/revisions.ts")).WikiRevisions,
  },
  {
    path: "/console/pages",
    name: "sitePages",
    needs: "GET /admin/pages",
    load: async () => (await import("../site-pages/list.ts")).SitePages,
  },
  {
    path: "/console/pages/new",
    within: "/console/pages",
    name: "newSitePage",
    needs: "POST /admin/pages",
    load: async () => (await import("../site-pages/detail.ts")).NewSitePage,
  },
  {
    path: "/console/pages/:slug",
    within: "/console/pages",
    name: "sitePage",
    needs: "GET /admin/pages/{slug}",
    load: async () => (await import("../site-pages/detail.ts")).SitePageDetail,
  },
];
