const base = "/api/v1/admin";
const everyMs = 2000;
const shownFailures = 20;

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

function queueRow(queue) {
  const idle = queue.workers === 0 && queue.depth > 0;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, queue.name),
    number(queue.depth),
    number(duration(queue.oldestSeconds), queue.oldestSeconds > 60 ? "bad" : ""),
    number(queue.active),
    number(queue.failed, queue.failed > 0 ? "bad" : ""),
    number(queue.completedLastHour),
    number(queue.workers, idle ? "bad" : ""),
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

function jobCard(job, action, words) {
  const card = element("article", { class: "job", "data-job": job.id });
  const button = element("button", { type: "button" }, words);
  button.addEventListener("click", () => act(button, job.id, action));
  const title = element("h3", {}, job.queue);
  card.append(element("div", { class: "row" }, title, button));
  if (job.state === "failed") card.append(element("p", { class: "bad" }, reasonOf(job)));
  const when = job.startedAt ? `started ${since(job.startedAt)} ago` : "waits to be taken";
  card.append(
    element("p", { class: "soft" }, `${when}, attempt ${Math.max(1, job.attempts)} · ${job.id}`),
  );
  if (job.state !== "failed") card.append(progressOf(job.progress));
  return card;
}

const reasonOf = ({ output }) => output?.message ?? output?.reason ?? "no reason was given";

function progressOf(progress) {
  const box = element("div", { class: "progress" });
  if (!progress) return box;
  const { phase, done, total } = progress;
  const known = total !== null && total > 0;
  const words = known ? `${phase}: ${done} of ${total}` : `${phase}: ${done}`;
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

function show(text, isBad = false) {
  byId("state").textContent = text;
  byId("state").className = isBad ? "bad" : "";
}

/** Replaces a list only when it changed, so that focus and selection survive a refresh. */
function fill(id, items, ifNone) {
  const next = items.length > 0 ? items : [element("p", { class: "soft" }, ifNone)];
  const box = byId(id);
  const text = next.map((item) => item.outerHTML).join("");
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  box.replaceChildren(...next);
}

async function refresh() {
  const [report, active, failed] = await Promise.all([
    ask("/jobs"),
    ask("/jobs?state=active"),
    ask(`/jobs?state=failed&limit=${shownFailures}`),
  ]);
  byId("queues").replaceChildren(...report.queues.map(queueRow));
  byId("processes").replaceChildren(...report.workers.map(processRow));
  fill(
    "running",
    active.jobs.map((job) => jobCard(job, "cancel", "Cancel")),
    "Nothing runs right now.",
  );
  fill(
    "failed",
    failed.jobs.map((job) => jobCard(job, "retry", "Try again")),
    "Nothing has failed.",
  );
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
