"""The smallest plugin that keeps the whole protocol: python3 plugin.py <url> <key>

For tests: MINUTE (its seconds), BUFFER (events kept) and PERIOD (seconds between events)."""
import collections, http.client, json, os, random, sys, threading, time, urllib.parse, uuid

URL, KEY = urllib.parse.urlsplit(sys.argv[1]), sys.argv[2]
MINUTE, PERIOD = float(os.environ.get("MINUTE", 60)), float(os.environ.get("PERIOD", 10))
MOST_EVENTS, MOST_BYTES = int(os.environ.get("BUFFER", 20000)), 16 * 1024 * 1024
BOOT, NOTHING = str(uuid.uuid4()), {}

class Link:
    """The buffer of (seq, JSON text) and where the site stands in it; `lock` guards all of it."""

    lock, events, size, head = threading.Condition(), collections.deque(), 0, 0
    stored = 0  # the last event that the site has, or knows to be lost
    epoch, greeted, over, quiet_until = str(uuid.uuid4()), False, False, 0.0

    def oldest(self):
        return self.events[0][0] if self.events else self.head + 1

    def emit(self, kind, payload):
        with self.lock:
            self.head += 1
            event = {"seq": self.head, "kind": kind, "t": int(time.time() * 1000), "payload": payload}
            self.events.append((self.head, json.dumps(event)))
            self.size += len(self.events[-1][1])
            self.drop(lambda _: len(self.events) > MOST_EVENTS or self.size > MOST_BYTES)
            self.lock.notify_all()

    def confirm(self, stored):
        self.stored = stored
        self.drop(lambda seq: seq <= stored)

    def drop(self, is_due):
        while self.events and is_due(self.events[0][0]):
            self.size -= len(self.events.popleft()[1])

link, outcomes = Link(), {}
def call(method, path, text=None, timeout=15):
    """One call. Returns status (0 without an answer), JSON body and Retry-After."""
    kind = http.client.HTTPSConnection if URL.scheme == "https" else http.client.HTTPConnection
    connection = kind(URL.netloc, timeout=timeout)
    try:
        headers = {"Authorization": "Bearer " + KEY, "Content-Type": "application/json"}
        connection.request(method, URL.path + path, text and text.encode(), headers)
        answer = connection.getresponse()
        body = answer.read()
        return answer.status, json.loads(body) if body else NOTHING, answer.headers["Retry-After"]
    except (OSError, ValueError, http.client.HTTPException):
        return 0, NOTHING, None
    finally:
        connection.close()

def pause_after(status, body, retry_after, failures):
    """Acts on an answer other than 2xx. Returns the seconds until the next try."""
    with link.lock:
        if status in (401, 403, 409):
            link.greeted = False  # the next call must be hello, which only the sender makes
        if status in (401, 403) or body.get("code") == "PROTOCOL":
            link.quiet_until = time.monotonic() + MINUTE
        link.over = link.over or body.get("code") == "SUPERSEDED"
        link.lock.notify_all()
    backoff = random.random() * MINUTE * min(1, 2 ** failures / 60)
    return float(retry_after) if retry_after else 0 if status == 409 and not failures else backoff

def keep(step):
    """Repeats a call, with the pauses that its answers ask for."""
    failures = 0
    while not link.over:
        time.sleep(max(0.0, link.quiet_until - time.monotonic()))
        answer = step()
        if answer[0] != 200:
            time.sleep(pause_after(*answer, failures))
        failures = 0 if answer[0] == 200 else failures + 1

def hello():
    with link.lock:
        said = {"protocol": 1, "game": "uo", "plugin": {"name": "minimal", "version": "1.0"},
                "server": {"name": "Minimal", "version": "1"}, "bootId": BOOT, "epoch": link.epoch,
                "oldest": link.oldest(), "head": link.head, "capabilities": []}
    status, body, after = call("POST", "/hello", json.dumps(said))
    with link.lock:
        if status == 200:
            link.confirm(body["cursor"]["seq"] if body["cursor"] else said["oldest"] - 1)
            link.greeted = True
            link.lock.notify_all()
        elif body.get("code") == "EPOCH":
            link.epoch = str(uuid.uuid4())
    return status, body, after

def send():
    """Sends what waits, after a gap for what was lost; at most 20 calls a second."""
    time.sleep(0.06)
    with link.lock:
        link.lock.wait_for(lambda: link.head > link.stored or not link.greeted)
        if not link.greeted:
            return 200, NOTHING, None
        texts, size = [], 0
        for _, text in link.events:
            size += len(text)
            if len(texts) == 500 or size > 900_000:
                break
            texts.append(text)
        said = {"epoch": link.epoch, "bootId": BOOT}
        if link.oldest() > link.stored + 1:
            said["gap"] = {"from": link.stored + 1, "to": link.oldest() - 1, "reason": "buffer full"}
    answer = call("POST", "/events", f'{json.dumps(said)[:-1]}, "events": [{",".join(texts)}]}}')
    with link.lock:
        if answer[0] == 200:
            link.confirm(answer[1]["seq"])
    return answer

def wait():
    with link.lock:
        link.lock.wait_for(lambda: link.greeted)
    answer = call("GET", "/commands?wait=25&bootId=" + BOOT, timeout=40)
    for command in answer[1].get("commands", []):
        deliver(f"/commands/{command['id']}?bootId={BOOT}", json.dumps(carry_out(command)))
    return answer

def deliver(path, text):
    for failures in range(8):
        answer = call("POST", path, text)
        pause = pause_after(*answer, failures) if answer[0] != 204 else 0
        if 0 < answer[0] < 500 and answer[0] != 429:
            return
        time.sleep(pause)

def carry_out(command):
    """The outcome of a command; a key that succeeded in the last 24 h has the same one again."""
    key, said = command["key"], (command["call"], command["params"], command["body"])
    for old in [one for one in outcomes if outcomes[one][2] < time.time() - 86400]:
        del outcomes[old]
    if key in outcomes:
        conflict = {"status": 409, "body": {"code": "CONFLICT"}}
        return outcomes[key][1] if outcomes[key][0] == said else conflict
    if command["call"] != "POST /v1/broadcast":
        return {"status": 422, "body": {"code": "UNSUPPORTED"}}
    text = (command["body"] or {}).get("text")
    if not isinstance(text, str) or not text:
        return {"status": 400, "body": {"code": "INVALID", "field": "text", "reason": "is missing"}}
    link.emit("world.broadcast", {"text": text, "hue": None, "access": "Player"})
    outcomes[key] = (said, {"status": 200, "body": {"ok": True}}, time.time())
    return outcomes[key][1]

for work in (lambda: hello() if not link.greeted else send(), wait):
    threading.Thread(target=keep, args=(work,), daemon=True).start()
link.emit("server.started", {"shard": "Minimal", "version": "1", "bootId": BOOT})
while not time.sleep(PERIOD):
    link.emit("server.heartbeat", {"online": 0, "uptimeMs": int(time.monotonic() * 1000)})
