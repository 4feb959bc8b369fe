import { sentenceOf } from "./sentences.js";

const api = `${document.body.dataset.api}/api/v1/public`;
const shown = 100;
const at = (id) => document.getElementById(id);
let received = 0;
let lastId = null;

at("address").textContent = `${api}/shard/stream`;

function say(state, text) {
  at("state").dataset.state = state;
  at("state").textContent = text;
}

function element(name, className, text = "") {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function show(event) {
  const { id, kind, t, payload } = event;
  lastId = id;
  const time = element("time", "", new Date(t).toLocaleTimeString());
  time.dateTime = new Date(t).toISOString();
  const raw = element("details", "");
  raw.append(
    element("summary", "", `Event ${id}`),
    element("pre", "", JSON.stringify(payload, null, 2)),
  );
  const row = element("li", "");
  row.append(time, element("span", "words", sentenceOf(event)), element("span", "kind", kind), raw);
  at("events").prepend(row);
  while (at("events").childElementCount > shown) at("events").lastElementChild.remove();
  received += 1;
  at("received").textContent = received;
}

async function showShard() {
  try {
    const answer = await fetch(`${api}/shard/status`);
    const { status, onlineCount } = await answer.json();
    at("shard").textContent = `${status}, ${onlineCount} online`;
  } catch {
    at("shard").textContent = "no answer";
  }
}

/** The page's server keeps the newest events for new visitors. */
async function showRecent() {
  const answer = await fetch("/recent.json");
  for (const event of await answer.json()) show(event);
}

// The browser reconnects by itself and sends the last id. It gives up only if the answer is no
// stream, so connect again in that case.
function connect() {
  const stream = new EventSource(`${api}/shard/stream${lastId ? `?lastEventId=${lastId}` : ""}`);
  stream.addEventListener("open", () => say("open", "connected"));
  stream.addEventListener("message", ({ data }) => show(JSON.parse(data)));
  stream.addEventListener("reset", () => at("events").replaceChildren());
  stream.addEventListener("bye", () => say("lost", "the server ends the stream"));
  stream.addEventListener("error", () => {
    say("lost", "connection lost, trying again");
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  });
}

await showRecent();
connect();
await showShard();
setInterval(showShard, 5000);
