import type { VNode } from "preact";

import { type AnswerOf, callApi } from "../../api/call.ts";
import type { Problem } from "../../api/problem.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { FormDialogButton } from "../../parts/ask-form.ts";
import { Field, readTextField } from "../../parts/form.ts";
import { formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { EventLinks } from "./links.ts";

type SeriesList = AnswerOf<"GET /admin/events/series">["series"];
type Series = SeriesList[number];

/** The series of events, and the dialogs that create, change and delete them. */
export function EventSeries(): VNode {
  const may = useAccessCheck();
  const { events } = words;
  const read = useApiRead("GET /admin/events/series", {});
  const create = async (values: FormData) => {
    const { slug, ...fields } = readFields(values);
    await callApi("POST /admin/events/series", { body: { ...fields, ...(slug && { slug }) } });
    await read.reload();
  };
  return html`<h1>${words.pages.eventSeries}</h1>
    <${EventLinks} />
    <p class="soft">${events.seriesHint}</p>
    ${
      may("POST /admin/events/series") &&
      html`<p>
      <${FormDialogButton}
        text=${events.newSeries}
        title=${events.newSeries}
        confirm=${words.actions.save}
        onConfirm=${create}
      >
        ${(problem: Problem | null) => html`<${Fields} problem=${problem} />`}
      <//>
    </p>`
    }
    <${ReadStateView} read=${read}>
      ${({ series }: { readonly series: SeriesList }) =>
        html`<${Table}
          label=${words.pages.eventSeries}
          heads=${[
            events.seriesName,
            events.slug,
            { text: events.seriesOrder, isNumber: true },
            { text: events.eventsIn, isNumber: true },
            events.changeOrDelete,
          ]}
          rows=${series.map((one) => ({ key: one.id, cells: cellsOf(one, read.reload) }))}
          none=${events.seriesNone}
        />`}
    <//>`;
}

const cellsOf = (one: Series, reload: () => Promise<void>) => [
  one.name,
  html`<code>${one.slug}</code>`,
  formatNumber(one.ordering),
  formatNumber(one.definitionCount),
  html`<${Buttons} one=${one} reload=${reload} />`,
];

function Buttons({
  one,
  reload,
}: {
  readonly one: Series;
  readonly reload: () => Promise<void>;
}): VNode {
  const may = useAccessCheck();
  const { events } = words;
  const path = { seriesId: one.id };
  const change = async (values: FormData) => {
    const { slug, ...fields } = readFields(values);
    const body = { ...fields, ...(slug !== one.slug && { slug }) };
    await callApi("PUT /admin/events/series/{seriesId}", { path, body });
    await reload();
  };
  const remove = async () => {
    await callApi("DELETE /admin/events/series/{seriesId}", { path });
    await reload();
  };
  return html`<div class="buttons">
    ${
      may("PUT /admin/events/series/{seriesId}") &&
      html`<${FormDialogButton}
      text=${events.change}
      title=${events.changeNamed(one.name)}
      confirm=${words.actions.save}
      onConfirm=${change}
    >
      ${(problem: Problem | null) => html`<${Fields} problem=${problem} one=${one} />`}
    <//>`
    }
    ${
      may("DELETE /admin/events/series/{seriesId}") &&
      html`<${ConfirmButton}
      danger
      text=${events.deleteShort}
      title=${events.deleteNamed(one.name)}
      question=${events.deleteSeriesQuestion(one.definitionCount)}
      confirm=${events.deleteShort}
      onConfirm=${remove}
    />`
    }
  </div>`;
}

function Fields({
  problem,
  one,
}: {
  readonly problem: Problem | null;
  readonly one?: Series;
}): VNode {
  const { events } = words;
  return html`<${Field}
      label=${events.seriesName}
      name="name"
      defaultValue=${one?.name}
      problem=${problem}
    />
    <${Field}
      label=${events.slug}
      name="slug"
      hint=${events.slugHint}
      defaultValue=${one?.slug}
      problem=${problem}
    />
    <${Field}
      as="textarea"
      label=${events.description}
      name="description"
      defaultValue=${one?.description}
      problem=${problem}
    />
    <${Field}
      type="number"
      label=${events.seriesOrder}
      name="ordering"
      defaultValue=${String(one?.ordering ?? 0)}
      problem=${problem}
    />`;
}

const readFields = (values: FormData) => ({
  name: readTextField(values, "name"),
  slug: readTextField(values, "slug"),
  description: readTextField(values, "description"),
  ordering: Number(readTextField(values, "ordering")),
});
