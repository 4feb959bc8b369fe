import { accountRoutes } from "./auth/account.routes.ts";
import { invitesRoutes } from "./auth/invites.routes.ts";
import { legacyAccountRoutes } from "./auth/legacy-account.routes.ts";
import { loginRoutes } from "./auth/login.routes.ts";
import { mfaRoutes } from "./auth/mfa.routes.ts";
import { mobileRoutes } from "./auth/mobile.routes.ts";
import { passwordRoutes } from "./auth/password.routes.ts";
import { sessionsRoutes } from "./auth/sessions.routes.ts";
import type { Route } from "./http/route.ts";
import { docsRoutes } from "./ops/docs.routes.ts";
import { jobsRoutes } from "./ops/jobs.routes.ts";
import { queuesRoutes } from "./ops/queues.routes.ts";
import { artRoutes } from "./shard/art.routes.ts";
import { assetsRoutes } from "./shard/assets.routes.ts";
import { atlasRoutes } from "./shard/atlas.routes.ts";
import { clilocsRoutes } from "./shard/clilocs.routes.ts";
import { gameAccountRoutes } from "./shard/game-account.routes.ts";
import { housesRoutes } from "./shard/houses.routes.ts";
import { linksRoutes } from "./shard/links.routes.ts";
import { marketRoutes } from "./shard/market.routes.ts";
import { moderationRoutes } from "./shard/moderation.routes.ts";
import { ownRoutes } from "./shard/own.routes.ts";
import { pointsRoutes } from "./shard/points.routes.ts";
import { shardlinkRoutes } from "./shard/shardlink.routes.ts";
import { statusRoutes } from "./shard/status.routes.ts";
import { streamRoutes } from "./shard/stream.routes.ts";
import { userRoutes } from "./shard/user.routes.ts";
import { visibilityRoutes } from "./shard/visibility.routes.ts";
import { activityRoutes } from "./site/activity.routes.ts";
import { bansRoutes } from "./site/bans.routes.ts";
import { settingsRoutes } from "./site/settings.routes.ts";
import { siteStatusRoutes } from "./site/status.routes.ts";
import { userMfaRoutes } from "./site/user-mfa.routes.ts";
import { usersRoutes } from "./site/users.routes.ts";

/** THE list of every route table, in mounting order. */
export const routes: readonly Route[] = [
  ...docsRoutes,
  ...loginRoutes,
  ...mobileRoutes,
  ...accountRoutes,
  ...legacyAccountRoutes,
  ...sessionsRoutes,
  ...mfaRoutes,
  ...passwordRoutes,
  ...invitesRoutes,
  ...housesRoutes,
  ...marketRoutes,
  ...artRoutes,
  ...pointsRoutes,
  ...statusRoutes,
  ...streamRoutes,
  ...siteStatusRoutes,
  ...settingsRoutes,
  ...usersRoutes,
  ...activityRoutes,
  ...bansRoutes,
  ...shardlinkRoutes,
  ...linksRoutes,
  ...gameAccountRoutes,
  ...ownRoutes,
  ...moderationRoutes,
  ...userRoutes,
  ...visibilityRoutes,
  ...assetsRoutes,
  ...atlasRoutes,
  ...clilocsRoutes,
  ...jobsRoutes,
  ...queuesRoutes,
  ...userMfaRoutes,
];
