import type { PageDeclaration } from "./page.ts";

/** The pages about the site itself. */
export const sitePages: readonly PageDeclaration[] = [
  {
    path: "/console/settings",
    name: "settings",
    needs: "GET /admin/settings",
    load: async () => (await import("../settings/settings.ts")).Settings,
  },
  {
    path: "/console/visibility",
    name: "visibility",
    needs: "GET /admin/shard/visibility",
    load: async () => (await import("../visibility/visibility.ts")).Visibility,
  },
  {
    path: "/console/providers",
    name: "providers",
    needs: "GET /admin/auth/providers",
    load: async () => (await import("../providers/list.ts")).Providers,
  },
  {
    path: "/console/providers/new",
    within: "/console/providers",
    name: "newProvider",
    needs: "POST /admin/auth/providers",
    load: async () => (await import("../providers/detail.ts")).NewProvider,
  },
  {
    path: "/console/providers/:id",
    within: "/console/providers",
    name: "provider",
    needs: "PUT /admin/auth/providers/{id}",
    load: async () => (await import("../providers/detail.ts")).ProviderDetail,
  },
  {
    path: "/console/tokens",
    name: "tokens",
    needs: "GET /admin/tokens",
    load: async () => (await import("../tokens/tokens.ts")).Tokens,
  },
  {
    path: "/console/webhooks",
    name: "webhooks",
    needs: "GET /admin/webhooks",
    load: async () => (await import("../webhooks/list.ts")).Webhooks,
  },
  {
    path: "/console/webhooks/new",
    within: "/console/webhooks",
    name: "newWebhook",
    needs: "POST /admin/webhooks",
    load: async () => (await import("../webhooks/create.ts")).NewWebhook,
  },
  {
    path: "/console/webhooks/:id",
    within: "/console/webhooks",
    name: "webhook",
    needs: "PUT /admin/webhooks/{id}",
    load: async () => (await import("../webhooks/detail.ts")).WebhookDetail,
  },
  {
    path: "/console/activity",
    name: "activity",
    needs: "GET /admin/activity",
    load: async () => (await import("../activity/activity.ts")).Activity,
  },
  {
    path: "/api/queues",
    name: "queues",
    needs: "GET /admin/jobs",
    load: async () => (await import("../queues/queues.ts")).Queues,
  },
];
