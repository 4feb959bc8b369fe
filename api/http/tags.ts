/** CATALOGUE of tags: the chapters of the API description. */
export const tags: Readonly<Record<string, string>> = {
  Site: "Status, settings and staff overview of the site.",
  Auth: "Signing in and out.",
  Account: "The caller's own account, devices and second factor.",
  Mobile: "Tokens of the mobile app.",
  Users: "User administration.",
  Shard: "The shard as anyone may see it.",
  "Shard player": "The caller's own game accounts.",
  "Shard staff": "Acting in game, and running the link to the shard.",
  Imports: "Atlas, cliloc and artwork imports.",
  Operations: "Queues, jobs and workers.",
};
