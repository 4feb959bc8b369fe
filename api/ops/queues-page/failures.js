import { post } from "./api.js";
import { button, byId, element, fillList, setText } from "./dom.js";
import { counted, since } from "./format.js";
import { jobCard, updateJob } from "./job-card.js";

/** Shows failed jobs by queue and error. */
export function showFailed(list, refresh) {
  const queues = [...new Set(list.groups.map(({ queue }) => queue))];
  fillList(byId("failed"), queues, {
    keyOf: String,
    make: (queue) => queueBlock(queue, refresh),
    update: (block, queue) => {
      const groups = list.groups.filter((group) => group.queue === queue);
      const jobs = groups.reduce((sum, group) => sum + group.jobs, 0);
      setText(block.querySelector(".count"), counted(jobs, "failed job"));
      const retry = { words: "Try again", action: "retry", refresh };
      fillGroups(block.querySelector(".groups"), { ...list, groups }, retry);
    },
    ifNone: "Nothing has failed.",
  });
}

/** Shows failed jobs that are retried automatically. */
export function showRetrying(list, refresh) {
  const cancel = { words: "Cancel", action: "cancel", refresh, isOfManyQueues: true };
  fillGroups(byId("retrying"), list, { ...cancel, ifNone: "No job waits for another try." });
}

function queueBlock(queue, refresh) {
  const route = `/jobs/queues/${encodeURIComponent(queue)}`;
  const retry = button("Try all again", `Try all of ${queue} again`, () =>
    refresh(() => post(`${route}/retry-failed`)),
  );
  const discard = button("Discard all", `Discard all failed jobs of ${queue}`, async () => {
    const isMeant = confirm(`Remove every failed job of ${queue}? They cannot be restored.`);
    if (isMeant) await refresh(() => post(`${route}/discard-failed`));
  });
  const title = element("h3", {}, queue);
  const buttons = element("span", { class: "buttons" }, retry, discard);
  const head = element(
    "div",
    { class: "row" },
    title,
    element("span", { class: "soft count" }),
    buttons,
  );
  return element("article", { class: "job" }, head, element("div", { class: "groups" }));
}

function fillGroups(box, { groups, jobs }, { ifNone, ...does }) {
  fillList(box, groups, {
    keyOf: ({ queue, error }) => `${queue} ${error}`,
    make: (group) => groupCard(group, does),
    update: (card, group) => updateGroup(card, group, { jobs, does }),
    ifNone,
  });
}

function groupCard({ queue, error }, { isOfManyQueues }) {
  const card = element("section", { class: isOfManyQueues ? "job" : "group" });
  if (isOfManyQueues) card.append(element("h3", {}, queue));
  const words = element("p", { class: "bad" }, element("strong", { class: "times" }), " ");
  words.append(element("span", { class: "words" }, error ?? "no reason was given"));
  const summary = element("summary", {}, "Jobs");
  const list = element("details", { class: "members" }, summary, element("div"));
  card.append(words, element("p", { class: "soft when" }), list);
  return card;
}

function updateGroup(card, group, { jobs, does }) {
  const members = jobs.filter((job) => isOf(group, job));
  setText(card.querySelector(".times"), group.jobs > 1 ? `${group.jobs} ×` : "");
  const first = group.jobs > 1 ? `, first ${since(group.firstAt)} ago` : "";
  setText(card.querySelector(":scope > .when"), `last ${since(group.lastAt)} ago${first}`);
  const list = card.querySelector(".members");
  const isAlone = group.jobs === 1;
  if (isAlone) list.open = true;
  list.classList.toggle("alone", isAlone);
  const more = group.jobs > members.length ? `, the newest ${members.length} of them` : "";
  setText(list.querySelector("summary"), `${counted(group.jobs, "job")}${more}`);
  fillList(list.querySelector("div"), members, {
    keyOf: ({ id }) => id,
    make: (job) => jobCard(job, { ...does, isAmong: true }),
    update: updateJob,
  });
}

const isOf = (group, { queue, output }) =>
  queue === group.queue && (output?.message ?? output?.value?.message ?? null) === group.error;
