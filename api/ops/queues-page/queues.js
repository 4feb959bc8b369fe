import { post } from "./api.js";
import { button, byId, element, fillList, setText } from "./dom.js";
import { duration, since } from "./format.js";

/** A queue's name with a possible line break after the dot. */
export function nameOf(queue) {
  const [group, ...rest] = queue.split(".");
  return [`${group}.`, element("wbr"), rest.join(".")];
}

const columns = [
  { name: "depth", text: ({ depth }) => depth },
  { name: "retrying", text: ({ retrying }) => retrying, isBad: ({ retrying }) => retrying > 0 },
  {
    name: "oldest",
    text: ({ oldestSeconds }) => duration(oldestSeconds),
    isBad: ({ oldestSeconds }) => oldestSeconds > 60,
  },
  { name: "active", text: ({ active }) => active },
  { name: "failed", text: ({ failed }) => failed, isBad: ({ failed }) => failed > 0 },
  { name: "done", text: ({ completedLastHour }) => completedLastHour },
  {
    name: "workers",
    text: ({ workers }) => workers,
    isBad: ({ workers, depth }) => workers === 0 && depth > 0,
  },
];

export function showQueues(queues, refresh) {
  fillList(byId("queues"), queues, {
    keyOf: ({ name }) => name,
    make: (queue) => queueRow(queue, refresh),
    update: updateRow,
  });
}

function queueRow(queue, refresh) {
  const { name, schedule, scheduleInWords } = queue;
  const row = element("tr", {}, element("th", { scope: "row" }, ...nameOf(name)));
  row.append(
    ...columns.map((column) => element("td", { class: "number", "data-column": column.name })),
  );
  const words = schedule ? element("span", { title: schedule }, scheduleInWords) : "–";
  row.append(element("td", { class: "soft words" }, words));
  const control = element("td", { class: "control" }, element("span", { class: "bad" }));
  control.append(
    ...["pause", "resume"].map((action) => {
      const title = action === "pause" ? "Pause" : "Resume";
      const made = button(title, `${title} ${name}`, () =>
        refresh(() => post(`/jobs/queues/${encodeURIComponent(name)}/${action}`)),
      );
      made.dataset.action = action;
      return made;
    }),
  );
  row.append(control);
  return row;
}

function updateRow(row, queue) {
  for (const { name, text, isBad } of columns) {
    const cell = row.querySelector(`[data-column="${name}"]`);
    setText(cell, text(queue));
    cell.classList.toggle("bad", isBad?.(queue) ?? false);
  }
  const { paused } = queue;
  const by = paused?.by ? ` by ${paused.by}` : "";
  setText(row.querySelector(".control span"), paused ? `Paused ${since(paused.at)} ago${by} ` : "");
  const [pause, resume] = ["pause", "resume"].map((action) =>
    row.querySelector(`[data-action="${action}"]`),
  );
  const hadFocus = [pause, resume].includes(document.activeElement);
  pause.hidden = paused !== null;
  resume.hidden = paused === null;
  if (hadFocus) (paused ? resume : pause).focus();
}
