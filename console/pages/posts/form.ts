import type { VNode } from "preact";
import { useState } from "preact/hooks";

import type { AnswerOf, BodyOf } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { fromLocalTime, toLocalTime } from "../../parts/local-time.ts";
import { Options, optionsOf } from "../../parts/options.ts";
import type { ConfirmQuestion } from "../../parts/use-question.ts";
import { words } from "../../words/words.ts";
import { SlugField, TagsField, readTags, readTextOrNull, TitleField } from "../content/fields.ts";

export type Post = AnswerOf<"GET /admin/posts/{id}">;

/** The fields of a post as the person edits them. The time of publication is edited only for the status `scheduled`. */
export type PostValues = Required<BodyOf<"POST /admin/posts">>;

const empty: PostValues = {
  title: "",
  slug: "",
  excerpt: null,
  image_url: null,
  tags: [],
  pinned: false,
  status: "draft",
  published_at: null,
  body: "",
};

export function toValues(post: Post | null): PostValues {
  if (!post) return empty;
  const { title, slug, excerpt, image_url, tags, pinned, status, published_at, body = "" } = post;
  // The form's field has no seconds. Drop the stored seconds too, because an unchanged time would otherwise
  // count as changed.
  const time = status === "scheduled" ? fromLocalTime(toLocalTime(published_at)) : null;
  return { title, slug, excerpt, image_url, tags, pinned, status, published_at: time, body };
}

export function readForm(values: FormData): PostValues {
  const status = readTextField(values, "status") as PostValues["status"];
  return {
    title: readTextField(values, "title").trim(),
    slug: readTextField(values, "slug").trim(),
    excerpt: readTextOrNull(values, "excerpt"),
    image_url: readTextOrNull(values, "image_url"),
    tags: readTags(values),
    pinned: values.get("pinned") === "on",
    status,
    published_at:
      status === "scheduled" ? fromLocalTime(readTextField(values, "published_at")) : null,
    body: readTextField(values, "body").replaceAll("\r\n", "\n"),
  };
}

/** Leaves the time of publication out unless it is scheduled, so that the post keeps the time at which it came out. */
export function toBody<Values extends Partial<PostValues>>(
  values: Values,
): Omit<Values, "published_at"> & { published_at?: string } {
  const { published_at: time, ...others } = values;
  return time ? { ...others, published_at: time } : others;
}

export function describeValues(values: PostValues): string {
  const { title, slug, excerpt, image, tags, status } = words.content;
  const isPinned = values.pinned ? words.yes : words.no;
  return [
    `${title}: ${values.title}`,
    `${slug}: ${values.slug}`,
    `${excerpt}: ${values.excerpt ?? ""}`,
    `${image}: ${values.image_url ?? ""}`,
    `${tags}: ${values.tags.join(", ")}`,
    `${words.posts.pin}: ${isPinned}`,
    `${status}: ${words.content.statuses[values.status]}`,
    `${words.posts.time}: ${formatTime(values.published_at)}`,
    "",
    values.body,
  ].join("\n");
}

/** Asks before a post becomes public, because the site then sends messages that nobody can take back. */
export function buildPublishQuestion(
  values: PostValues,
  stored: Post | null,
): ConfirmQuestion | null {
  if (values.status === "draft" || stored?.status === values.status) return null;
  const { publishTitle, publishQuestion, scheduleTitle, scheduleQuestion } = words.posts;
  if (values.status === "published") {
    return { title: publishTitle, text: publishQuestion, confirm: words.posts.publish };
  }
  const text = scheduleQuestion(formatTime(values.published_at));
  return { title: scheduleTitle, text, confirm: words.posts.schedule };
}

export function PostFields({
  values,
  problem,
}: {
  readonly values: PostValues;
  readonly problem: Problem | null;
}): VNode {
  return html`<div class="fields">
    <${TitleField} value=${values.title} problem=${problem} />
    <${SlugField} value=${values.slug} problem=${problem} />
    <${Field}
      label=${words.content.excerpt}
      hint=${words.content.excerptHint}
      name="excerpt"
      maxlength="300"
      defaultValue=${values.excerpt ?? ""}
      problem=${problem}
    />
    <${Field}
      label=${words.content.image}
      hint=${words.content.imageHint}
      name="image_url"
      maxlength="2048"
      defaultValue=${values.image_url ?? ""}
      problem=${problem}
    />
    <${TagsField} value=${values.tags.join(", ")} problem=${problem} />
  </div>`;
}

/** The status of a post, and for a scheduled one the time at which it becomes public. */
export function PostStatus({
  values,
  problem,
}: {
  readonly values: PostValues;
  readonly problem: Problem | null;
}): VNode {
  const [status, setStatus] = useState<string>(values.status);
  return html`<div class="fields">
    <${Field}
      as="select"
      label=${words.content.status}
      hint=${words.posts.statusHint}
      name="status"
      problem=${problem}
      onChange=${(event: Event) => setStatus((event.target as HTMLSelectElement).value)}
    >
      <${Options} options=${optionsOf(words.content.statuses)} chosen=${values.status} />
    <//>
    ${
      status === "scheduled" &&
      html`<${Field}
      label=${words.posts.time}
      hint=${words.posts.timeHint}
      name="published_at"
      type="datetime-local"
      defaultValue=${toLocalTime(values.published_at)}
      required
      problem=${problem}
    />`
    }
    <${Field}
      label=${words.posts.pin}
      name="pinned"
      type="checkbox"
      defaultChecked=${values.pinned}
    />
  </div>`;
}
