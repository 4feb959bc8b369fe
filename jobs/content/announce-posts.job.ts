import { announceDuePosts } from "../../shared/content/posts/announcements.ts";
import { defineJob } from "../job.ts";

export const announcePostsJob = defineJob({
  queue: "content.announce-posts",
  run: (_payload, context) => announceDuePosts(context),
});
