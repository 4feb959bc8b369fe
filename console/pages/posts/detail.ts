import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useNavigate } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { pageUrlOf } from "../content/address.ts";
import { Editor } from "../content/editor.ts";
import { omitEmptySlug } from "../content/fields.ts";
import { runIfUnchanged } from "../content/unchanged.ts";
import {
  describeValues,
  type Post,
  PostFields,
  PostStatus,
  type PostValues,
  buildPublishQuestion,
  readForm,
  toBody,
  toValues,
} from "./form.ts";

const list = "/console/posts";
const backToList = () => html`<p><a href=${list}>${words.posts.toList}</a></p>`;

const create = (values: PostValues) =>
  callApi("POST /admin/posts", { body: omitEmptySlug(toBody(values)) });

const change = ({ id, revision }: Post, changes: Partial<PostValues>) =>
  callApi("PUT /admin/posts/{id}", {
    path: { id },
    body: {
      ...omitEmptySlug({ slug: "", ...toBody(changes) }),
      base_revision: revision,
    },
  });

/** Writes a new post. */
export function NewPost(): VNode {
  const open = useNavigate();
  const onSaved = ({ id }: Post) => open(pageUrlOf(list, id), { replace: true });
  return html`${backToList()}
    <h1>${words.pages.newPost}</h1>
    <${PostEditor} stored=${null} onSaved=${onSaved} />`;
}

/** Changes, publishes or deletes a post. */
export function PostDetail({ params }: PageProps): VNode {
  const read = useApiRead("GET /admin/posts/{id}", { path: { id: Number(params["id"]) } });
  return html`${backToList()}
    <${ReadStateView} read=${read}>
      ${(post: AnswerOf<"GET /admin/posts/{id}">) =>
        html`<h1>${post.title}</h1>
          <${State} post=${post} />
          <${PostEditor} stored=${post} onSaved=${read.set} />
          <h2>${words.content.deletion}</h2>
          <${DeletePost} post=${post} />`}
    <//>
    ${read.data === null && html`<h1>${words.pages.post}</h1>`}`;
}

function State({ post }: { readonly post: Post }): VNode {
  const { statuses, nobody, changed } = words.content;
  const time = post.published_at && post.status !== "draft" ? formatTime(post.published_at) : "";
  return html`<p class="soft">
    ${statuses[post.status]} ${time} · ${post.author?.username ?? nobody} ·${" "}
    ${changed(formatTime(post.updated_at), post.revision)}
  </p>`;
}

function PostEditor({
  stored,
  onSaved,
}: {
  readonly stored: Post | null;
  readonly onSaved: (post: Post) => void;
}): VNode {
  return html`<${Editor}
    label=${words.pages.post}
    stored=${stored}
    toValues=${toValues}
    readForm=${readForm}
    describe=${describeValues}
    questionFor=${buildPublishQuestion}
    create=${create}
    change=${change}
    onSaved=${onSaved}
    fields=${(values: PostValues, problem: null) => html`<${PostFields} values=${values} problem=${problem} />`}
    fieldsBelow=${(values: PostValues, problem: null) => html`<${PostStatus} values=${values} problem=${problem} />`}
  />`;
}

function DeletePost({ post: { id, title, revision } }: { readonly post: Post }): VNode {
  const open = useNavigate();
  const remove = async () => {
    await runIfUnchanged(() =>
      callApi("DELETE /admin/posts/{id}", { path: { id }, body: { base_revision: revision } }),
    );
    open(list, { replace: true });
  };
  return html`<${ConfirmButton}
    danger
    text=${words.posts.remove}
    title=${words.posts.remove}
    question=${words.posts.removeQuestion(title)}
    confirm=${words.posts.remove}
    onConfirm=${remove}
  />`;
}
