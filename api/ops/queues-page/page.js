const base = "/api/v1/admin";
const everyMs = 2000;
const shownFailures = 20;
const shownFinished = 10;

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; text is text, never markup. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

async function ask(path, method = "GET") {
  const response = await fetch(base + path, { method, headers: { accept: "application/json" } });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error ?? body.message ?? response.status);
  return body;
}

function duration(seconds) {
  if (seconds === null) return "–";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 86400 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86400).toFixed(1)} d`;
}

const since = (date) => duration((Date.now() - Date.parse(date)) / 1000);

const number = (value, kind = "") => element("td", { class: `number ${kind}` }, value);

/** A queue's name, which a narrow window may break after its dot. */
function nameOf(queue) {
  const [group, ...rest] = queue.split(".");
  return [`${group}.`, element("wbr"), rest.join(".")];
}

function queueRow(queue) {
  const unattended = queue.workers === 0 && queue.depth > 0;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, ...nameOf(queue.name)),
    number(queue.depth),
    number(duration(queue.oldestSeconds), queue.oldestSeconds > 60 ? "bad" : ""),
    number(queue.active),
    number(queue.failed, queue.failed > 0 ? "bad" : ""),
    number(queue.completedLastHour),
    number(queue.workers, unattended ? "bad" : ""),
    element("td", { class: "soft" }, queue.schedule ?? "–"),
  );
}

function processRow(process) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, `${process.kind} ${process.pid}`),
    element("td", {}, process.queueGroups.join(", ") || "–"),
    element("td", {}, process.host),
    element("td", {}, process.version),
    number(since(process.startedAt)),
    number(`${since(process.seenAt)} ago`),
  );
}

/** A job with the one thing that can be done about it. */
function jobCard(job, { action, words }) {
  const card = element("article", { class: "job", "data-job": job.id });
  const name = { type: "button", "aria-label": `${words} ${job.queue}` };
  const button = element("button", name, words);
  button.addEventListener("click", () => act(button, job.id, action));
  const title = element("h3", {}, job.queue);
  card.append(element("div", { class: "row" }, title, button));
  if (job.state === "failed") card.append(element("p", { class: "bad" }, reasonOf(job)));
  card.append(element("p", { class: "soft when" }), element("div", { class: "progress" }));
  return card;
}

/** What time changes of a job that is shown already. */
function update(card, job) {
  const when = job.startedAt ? `started ${since(job.startedAt)} ago` : "waits to be taken";
  const words = `${when}, attempt ${Math.max(1, job.attempts)} · ${job.id}`;
  card.querySelector(".when").textContent = words;
  if (job.state !== "failed") card.querySelector(".progress").replaceWith(progressOf(job.progress));
}

function finishedRow(job) {
  const tookSeconds = (Date.parse(job.completedAt) - Date.parse(job.startedAt)) / 1000;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, ...nameOf(job.queue)),
    outcomeOf(job.output),
    number(duration(tookSeconds)),
    number(`${since(job.completedAt)} ago`),
  );
}

/** Imports say what came of them; other jobs are done or have failed. */
function outcomeOf(output) {
  const { status = "done", reason } = output ?? {};
  const kind = ["unavailable", "failed"].includes(status) ? "bad" : "";
  return element("td", { class: `words ${kind}` }, reason ? `${status}: ${reason}` : status);
}

const reasonOf = ({ output }) => output?.message ?? output?.reason ?? "no reason was given";

function progressOf(progress) {
  const box = element("div", { class: "progress" });
  if (!progress) return box;
  const { phase, done, total } = progress;
  const known = total !== null && total > 0;
  const far = known ? `: ${done} of ${total}` : done > 0 ? `: ${done}` : "";
  const words = phase + far;
  const bar = known ? { max: total, value: Math.min(done, total) } : {};
  box.append(element("p", {}, words), element("progress", { ...bar, "aria-label": words }));
  return box;
}

async function act(button, id, action) {
  button.disabled = true;
  try {
    await ask(`/jobs/${id}/${action}`, "POST");
    await refresh();
  } catch (error) {
    show(`Not done: ${error.message}`, true);
    button.disabled = false;
  }
}

/** The time is for who looks; a fault is said aloud too. */
function show(text, isBad = false) {
  byId("state").textContent = isBad ? "" : text;
  byId("fault").textContent = isBad ? text : "";
}

/** Brings cards up to date where they stand, so that what has the focus keeps it. */
function fillCards(id, jobs, { ifNone, ...button }) {
  const box = byId(id);
  const shown = new Map([...box.querySelectorAll("[data-job]")].map((card) => [keyOf(card), card]));
  const cards = jobs.map((job) => shown.get(job.id) ?? jobCard(job, button));
  cards.forEach((card, at) => update(card, jobs[at]));
  const isSame = cards.length === shown.size && cards.every((card) => shown.has(keyOf(card)));
  if (isSame && box.childElementCount > 0) return;
  const focused = document.activeElement;
  box.replaceChildren(...(cards.length > 0 ? cards : [element("p", { class: "soft" }, ifNone)]));
  if (box.contains(focused)) focused.focus();
}

const keyOf = (card) => card.dataset.job;

function fillRows(id, rows, ifNone) {
  const none = element("td", { class: "soft", colspan: 9 }, ifNone);
  byId(id).replaceChildren(...(rows.length > 0 ? rows : [element("tr", {}, none)]));
}

async function refresh() {
  const [report, active, failed, finished] = await Promise.all([
    ask("/jobs"),
    ask("/jobs?state=active"),
    ask(`/jobs?state=failed&limit=${shownFailures}`),
    ask(`/jobs?state=completed&limit=${shownFinished}`),
  ]);
  const [cancel, retry] = [
    { action: "cancel", words: "Cancel", ifNone: "Nothing runs right now." },
    { action: "retry", words: "Try again", ifNone: "Nothing has failed." },
  ];
  fillCards("running", active.jobs, cancel);
  fillCards("failed", failed.jobs, retry);
  fillRows("queues", report.queues.map(queueRow));
  fillRows("processes", report.workers.map(processRow));
  fillRows("finished", finished.jobs.map(finishedRow), "Nothing has been done yet.");
  show(`As of ${new Date().toLocaleTimeString()}`);
}

async function refreshForever() {
  try {
    if (!document.hidden) await refresh();
  } catch (error) {
    show(`Not up to date: ${error.message}`, true);
  }
  setTimeout(refreshForever, everyMs);
}

/** Progress comes over the stream, between two refreshes. */
function followProgress() {
  const stream = new EventSource(`${base}/shardlink/stream`);
  stream.addEventListener("job.progress", ({ data }) => {
    const progress = JSON.parse(data);
    const box = document.querySelector(`[data-job="${CSS.escape(progress.jobId)}"] .progress`);
    box?.replaceWith(progressOf(progress));
  });
}

followProgress();
await refreshForever();
