import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { EditForm } from "../../../parts/edit-form.ts";
import { FormButton } from "../../../parts/form-button.ts";
import { html } from "../../../parts/html.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import type { FieldSpec } from "../../../parts/specs.ts";
import { Table } from "../../../parts/table.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { words } from "../../../words/words.ts";

type Category = AnswerOf<"GET /admin/survival/title-categories">["categories"][number];

/** The titles of the statistics by which players are ranked. */
export function TitleCategories(): VNode {
  const { categories: text } = words.survival;
  const read = useApiRead("GET /admin/survival/title-categories", {});
  return html`<h2>${text.title}</h2>
    <p class="soft">${text.hint}</p>
    <${ReadStateView} read=${read}>
      ${({ categories }: { readonly categories: readonly Category[] }) => {
        const rows = categories.map((category) => ({
          key: category.stat,
          cells: [
            category.label,
            category.title,
            category.customised ? text.customised(category.updatedBy) : text.isDefault,
            html`<${ChangeTitle} category=${category} onSaved=${read.reload} />`,
          ],
        }));
        const heads = [text.stat, text.chatTitle, text.origin, text.actions];
        return html`<${Table} label=${text.title} heads=${heads} rows=${rows} />`;
      }}
    <//>`;
}

function ChangeTitle({
  category,
  onSaved,
}: {
  readonly category: Category;
  readonly onSaved: () => Promise<void>;
}): VNode {
  const { categories: text } = words.survival;
  const specs: readonly FieldSpec[] = [
    {
      name: "title",
      kind: "text",
      label: text.chatTitle,
      hint: text.titleHint(category.defaultTitle),
      input: { maxlength: 32 },
    },
  ];
  const save = async (close: () => void, given: object, basis: Category): Promise<Category> => {
    const body = { title: category.title, ...given, basedOn: basis.revision };
    const path = { stat: category.stat };
    const answer = await callApi("PUT /admin/survival/title-categories/{stat}", { path, body });
    close();
    await onSaved();
    return answer.category;
  };
  const title = text.changeTitle(category.label);
  return html`<${FormButton} text=${text.change} title=${title} label=${title}>
    ${(close: () => void) =>
      html`<${EditForm}
        label=${title}
        send=${words.actions.save}
        stored=${category}
        specs=${specs}
        save=${(body: object, basis: Category) => save(close, body, basis)}
      />`}
  <//>`;
}
