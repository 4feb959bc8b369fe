// Guildhall plugin for ServUO: the link to the site. Three threads make all calls and never touch the
// game: they queue commands for other threads and send the outcomes.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Threading;

namespace Guildhall
{
    internal enum LinkState
    {
        NotConfigured,
        Connecting,
        Linked,
        Refused,
        Superseded
    }

    internal static class Link
    {
        private const int CallTimeoutMs = 15000;
        private const int RefusedRetryMs = 60000;
        private const int MinIntervalMs = 75; // the site accepts 20 calls of hello and events per second

        /// <summary>Identifies this run of the game process.</summary>
        public static readonly string BootId = Guid.NewGuid().ToString();

        private static readonly object m_Lock = new object();
        private static readonly Random m_Jitter = new Random();

        private static SiteAddress m_Site;
        private static int m_Generation; // increases with each change of the address or key
        private static string m_Identity; // JSON members of the hello that describe this server
        private static LinkState m_State = LinkState.NotConfigured;
        private static bool m_NeedsHello = true;
        private static string m_LastError;
        private static DateTime m_LastAnswer;
        private static int m_Answers; // number of the site's answers, without refusals
        private static double m_RefusedUntil; // in Clock.Ms; no thread starts a call earlier
        private static double m_NextCallMs; // in Clock.Ms; only the thread of the events uses it
        private static int m_WaitSeconds = 25;
        private static int m_MaxEvents = 500;
        private static int m_MaxBytes = 1024 * 1024;

        public static LinkState State { get { lock (m_Lock) return m_State; } }
        public static string LastError { get { lock (m_Lock) return m_LastError; } }
        public static DateTime LastAnswer { get { lock (m_Lock) return m_LastAnswer; } }
        public static SiteAddress Site { get { lock (m_Lock) return m_Site; } }

        private static long m_MemoryBytes;

        /// <summary>Memory of the process. The events thread measures it, because measuring is slow.</summary>
        public static long MemoryBytes { get { return Interlocked.Read(ref m_MemoryBytes); } }

        /// <summary>Starts the threads. They wait until a site is set.</summary>
        public static void Start(string identity)
        {
            m_Identity = identity;
            SiteHttp.EnableTls12();
            StartThread("Guildhall events", SendEvents);
            StartThread("Guildhall commands", WaitForCommands);
            StartThread("Guildhall outcomes", SendOutcomes);
        }

        private static void StartThread(string name, Action<WorkerState> step)
        {
            var thread = new Thread(() => RunForever(name, step)) { IsBackground = true, Name = name };
            thread.Start();
        }

        /// <summary>The state of one thread. WaitForSite updates the site before each step.</summary>
        private sealed class WorkerState
        {
            public SiteAddress Site;
            public int Generation;
            public int Failures; // in a row
        }

        private static void RunForever(string name, Action<WorkerState> step)
        {
            var worker = new WorkerState();

            for (; ; )
            {
                try
                {
                    WaitForSite(worker);
                    step(worker);
                }
                catch (NoAnswerException e)
                {
                    worker.Failures++;
                    RecordFailure(worker, "No answer from " + worker.Site.Host + ": " + e.Message + ". The plugin tries again by itself.");
                    Pause(worker, ComputeBackoff(worker.Failures), true);
                }
                catch (ThreadAbortException)
                {
                    throw;
                }
                catch (Exception e)
                {
                    // A fault of the plugin must end neither the thread nor the game.
                    Journal.Report(name, e);
                    worker.Failures++;
                    Pause(worker, ComputeBackoff(worker.Failures));
                }
            }
        }

        private static void WaitForSite(WorkerState worker)
        {
            lock (m_Lock)
            {
                for (; ; )
                {
                    double left = m_RefusedUntil - Clock.Ms;

                    if (m_Site == null || m_State == LinkState.Superseded)
                        Monitor.Wait(m_Lock);
                    else if (left > 0)
                        Monitor.Wait(m_Lock, (int)Math.Ceiling(left));
                    else
                        break;
                }

                if (worker.Generation != m_Generation)
                    worker.Failures = 0;

                worker.Site = m_Site;
                worker.Generation = m_Generation;
            }
        }

        /// <summary>Links to a site; null ends the link.</summary>
        public static void SetSite(SiteAddress site)
        {
            lock (m_Lock)
            {
                // Drop buffered events that were meant for another site.
                if (m_Site != null && site != null && m_Site.Base != site.Base)
                    EventBuffer.IsOpen = false;

                m_Site = site;
                m_Generation++;
                m_NeedsHello = true;
                m_RefusedUntil = 0;
                m_LastError = null;
                m_State = site == null ? LinkState.NotConfigured : LinkState.Connecting;
                EventBuffer.IsOpen = site != null;
                Monitor.PulseAll(m_Lock);
            }
        }

        /// <summary>Sleeps until the time is over or the settings change.</summary>
        /// <param name="endsWithAnswer">True to stop sleeping when the site answers another thread.</param>
        private static void Pause(WorkerState worker, double ms, bool endsWithAnswer = false)
        {
            double end = Clock.Ms + ms;

            lock (m_Lock)
            {
                int answers = m_Answers;

                while (worker.Generation == m_Generation && !(endsWithAnswer && answers != m_Answers))
                {
                    double left = end - Clock.Ms;

                    if (left <= 0)
                        return;

                    Monitor.Wait(m_Lock, (int)Math.Ceiling(left));
                }
            }
        }

        /// <summary>Returns random milliseconds below a limit of 1 s that doubles with each failure up to 60 s.</summary>
        private static int ComputeBackoff(int failures)
        {
            double max = Math.Min(60000.0, 1000.0 * Math.Pow(2, Math.Min(failures - 1, 10)));

            lock (m_Jitter)
                return (int)(m_Jitter.NextDouble() * max);
        }

        // Writing to a console can block, so write lines outside the lock.
        private static void RecordFailure(WorkerState worker, string sentence)
        {
            lock (m_Lock)
            {
                if (worker.Generation != m_Generation || m_State == LinkState.Superseded)
                    return;

                // Report a broken connection at its third failure only, because the other connections may work.
                if (m_State == LinkState.Linked && worker.Failures < 3)
                    return;

                bool mustPrint = m_State == LinkState.Linked || m_LastError == null;
                m_LastError = sentence;
                m_State = m_State == LinkState.Linked ? LinkState.Connecting : m_State;

                if (!mustPrint)
                    return;
            }

            Journal.Print(sentence);
        }

        private static void RecordAnswer(WorkerState worker)
        {
            lock (m_Lock)
            {
                if (worker.Generation != m_Generation)
                    return;

                m_LastAnswer = DateTime.UtcNow;
                m_Answers++;
                Monitor.PulseAll(m_Lock);

                if (m_NeedsHello || m_State != LinkState.Connecting)
                    return;

                m_State = LinkState.Linked;
                m_LastError = null;
            }

            Journal.Print("Linked to " + worker.Site.Host + " again.");
        }

        private static bool NeedsHello { get { lock (m_Lock) return m_NeedsHello; } }

        /// <summary>
        /// True if a call other than a hello may start. While this thread waited, the site may have refused a call
        /// of another thread; the next call must then be a hello.
        /// </summary>
        private static bool CanCall(WorkerState worker)
        {
            lock (m_Lock)
                return !m_NeedsHello && worker.Generation == m_Generation && m_State != LinkState.Superseded && Clock.Ms >= m_RefusedUntil;
        }

        // ---- events

        /// <summary>Waits until a hello or a call with events may begin.</summary>
        private static void Pace(WorkerState worker)
        {
            Pause(worker, m_NextCallMs - Clock.Ms);
            m_NextCallMs = Clock.Ms + MinIntervalMs;
        }

        private static void SendEvents(WorkerState worker)
        {
            if (NeedsHello)
            {
                SendHello(worker);
                return;
            }

            MeasureMemory();

            if (!EventBuffer.WaitForWork(1000))
                return;

            Pace(worker);
            int maxEvents, maxBytes;

            lock (m_Lock)
            {
                maxEvents = m_MaxEvents;
                maxBytes = m_MaxBytes;
            }

            string epoch = EventBuffer.Epoch;
            EventBatch batch = EventBuffer.MakeBatch(BootId, maxEvents, maxBytes);

            if (batch == null || !CanCall(worker))
                return;

            SiteAnswer answer = SiteHttp.Call(worker.Site, "POST", "/events", batch.Body, batch.Length, CallTimeoutMs);
            long? stored = answer.Body.IntegerOf("seq");

            if (answer.Status == 200 && stored != null)
            {
                RecordAnswer(worker);
                long before = EventBuffer.Stored;
                EventBuffer.Confirm(epoch, Math.Max(stored.Value, batch.GapEnd));
                worker.Failures = EventBuffer.Stored > before ? 0 : worker.Failures + 1;

                if (worker.Failures > 0)
                    Pause(worker, ComputeBackoff(worker.Failures));
            }
            else if (answer.Status == 413)
            {
                // A proxy may accept less than the site: send less, down to one event, then drop that event.
                if (batch.Events > 1)
                    lock (m_Lock)
                        m_MaxBytes = Math.Min(m_MaxBytes, batch.Length) / 2;
                else
                    EventBuffer.DropOldest();

                worker.Failures++;
                RecordFailure(worker, "The site or a proxy refused a call as too large. The plugin sends smaller calls.");
                Pause(worker, ComputeBackoff(worker.Failures));
            }
            else
                HandleRefusal(worker, answer, "events");
        }

        private static double m_MeasuredAt;

        private static void MeasureMemory()
        {
            if (m_MeasuredAt > 0 && Clock.Ms - m_MeasuredAt < 30000)
                return;

            m_MeasuredAt = Clock.Ms;

            using (Process self = Process.GetCurrentProcess())
                Interlocked.Exchange(ref m_MemoryBytes, self.WorkingSet64);
        }

        private static void SendHello(WorkerState worker)
        {
            Pace(worker);
            string epoch;
            long oldest, head;
            EventBuffer.ReadPosition(out epoch, out oldest, out head);

            string body = new JsonWriter(512).Open().Field("protocol", 1).Field("game", "uo").Field("bootId", BootId)
                .Field("epoch", epoch).Field("oldest", oldest).Field("head", head).ToString() + "," + m_Identity + "}";

            SiteAnswer answer = SiteHttp.Call(worker.Site, "POST", "/hello", Encoding.UTF8.GetBytes(body), CallTimeoutMs);

            if (answer.Status != 200 || answer.Body == null)
            {
                HandleRefusal(worker, answer, "hello");
                return;
            }

            Dictionary<string, object> cursor = answer.Body.ObjectOf("cursor");
            long? stored = cursor.TextOf("epoch") == epoch ? cursor.IntegerOf("seq") : null;
            EventBuffer.Resume(stored ?? oldest - 1);

            bool wasUnlinked;

            lock (m_Lock)
            {
                if (worker.Generation != m_Generation)
                    return;

                m_MaxEvents = (int)Math.Max(1, Math.Min(500, answer.Body.IntegerOf("maxEvents") ?? 500));
                m_MaxBytes = (int)Math.Max(65536, Math.Min(1048576, answer.Body.IntegerOf("maxBytes") ?? 1048576));
                m_WaitSeconds = (int)Math.Max(1, Math.Min(60, answer.Body.IntegerOf("pollSeconds") ?? 25));
                m_NeedsHello = false;
                m_LastAnswer = DateTime.UtcNow;
                m_Answers++;

                wasUnlinked = m_State != LinkState.Linked;
                m_State = LinkState.Linked;
                m_LastError = null;
                Monitor.PulseAll(m_Lock);
            }

            if (wasUnlinked)
                Journal.Print("Linked to " + worker.Site.Host + ".");

            worker.Failures = 0;
            Inbox.QueueHello(ReadFamilies(answer.Body.ListOf("resync")));
        }

        private static string[] ReadFamilies(List<object> from)
        {
            var result = new List<string>();

            foreach (object family in from ?? new List<object>())
            {
                if (family is string)
                    result.Add((string)family);
            }

            return result.ToArray();
        }

        // ---- refusals, which are the same for all calls

        private static void HandleRefusal(WorkerState worker, SiteAnswer answer, string call)
        {
            string code = answer.Code;
            worker.Failures++;

            if (answer.Status == 409 && code == "SUPERSEDED")
                StopSuperseded(worker);
            else if (answer.Status == 409 && code == "PROTOCOL")
                SuspendCalls(worker, "The site does not support the protocol of this plugin (version " + Plugin.Version + "). Install the plugin that comes with the site's version.");
            else if (answer.Status == 409)
            {
                // The site and the buffer have different positions. A new hello exchanges them.
                if (code == "EPOCH" && call == "hello")
                    EventBuffer.BeginEpoch();

                RequireHello(worker);

                if (worker.Failures > 1)
                    Pause(worker, ComputeBackoff(worker.Failures));
            }
            else if (answer.Status == 401)
                SuspendCalls(worker, "The site does not accept the key. Create a new key on the site and type the line that the site shows.");
            else if (answer.Status == 403 && code == "DISABLED")
                SuspendCalls(worker, "The link is disabled on the site. Enable it there.");
            else if (answer.Status == 403)
                SuspendCalls(worker, "The site refuses calls from the IP address of this machine for some time. The plugin tries again by itself.");
            else if (answer.Status == 404 || (answer.Status >= 300 && answer.Status < 400))
                SuspendCalls(worker, "The address is not the address of a Guildhall site: it answered " + answer.Status + ". Type the whole line that the site shows.");
            else
            {
                string sentence = answer.Status == 503 || answer.Status == 429
                    ? worker.Site.Host + " is busy or under maintenance. The plugin tries again by itself."
                    : worker.Site.Host + " answered " + answer.Status + " " + code + " (" + (answer.Body.TextOf("error") ?? call) + "). The plugin tries again by itself.";

                RecordFailure(worker, sentence);

                // The site would refuse the same call again, so retry it after a minute.
                int minMs = answer.Status < 500 && answer.Status != 429 ? RefusedRetryMs : answer.RetryAfterSec * 1000;
                Pause(worker, Math.Max(minMs, ComputeBackoff(worker.Failures)));
            }
        }

        private static void RequireHello(WorkerState worker)
        {
            lock (m_Lock)
            {
                if (worker.Generation == m_Generation)
                    m_NeedsHello = true;

                Monitor.PulseAll(m_Lock);
            }
        }

        /// <summary>Stops the calls of all threads for a minute. The next call is a hello.</summary>
        private static void SuspendCalls(WorkerState worker, string sentence)
        {
            bool isNewSentence;

            lock (m_Lock)
            {
                if (worker.Generation != m_Generation || m_State == LinkState.Superseded)
                    return;

                isNewSentence = m_LastError != sentence;
                m_LastError = sentence;
                m_State = LinkState.Refused;
                m_NeedsHello = true;
                m_RefusedUntil = Clock.Ms + RefusedRetryMs;
            }

            if (isNewSentence)
                Journal.Print(sentence);
        }

        private static void StopSuperseded(WorkerState worker)
        {
            const string sentence = "Another game server uses the same key and has taken over the link. Give each game server its own key, then restart this one.";

            lock (m_Lock)
            {
                if (worker.Generation != m_Generation || m_State == LinkState.Superseded)
                    return;

                m_State = LinkState.Superseded;
                m_LastError = sentence;
                EventBuffer.IsOpen = false;
            }

            Journal.Print(sentence);
        }

        // ---- commands

        private static bool WaitForHello(WorkerState worker)
        {
            lock (m_Lock)
            {
                if (m_NeedsHello && worker.Generation == m_Generation)
                    Monitor.Wait(m_Lock, 1000);

                return !m_NeedsHello && worker.Generation == m_Generation;
            }
        }

        private static void WaitForCommands(WorkerState worker)
        {
            if (!WaitForHello(worker) || !CanCall(worker))
                return;

            int seconds;

            lock (m_Lock)
                seconds = m_WaitSeconds;

            string path = "/commands?wait=" + seconds + "&bootId=" + BootId;
            SiteAnswer answer = SiteHttp.Call(worker.Site, "GET", path, null, (seconds + 15) * 1000);

            if (answer.Status != 200 || answer.Body == null)
            {
                HandleRefusal(worker, answer, "commands");
                return;
            }

            worker.Failures = 0;
            RecordAnswer(worker);

            foreach (object item in answer.Body.ListOf("commands") ?? new List<object>())
            {
                var command = item as Dictionary<string, object>;

                if (command.TextOf("id") != null && command.TextOf("call") != null)
                    Inbox.Receive(new Command(command, worker.Site.Base));
            }
        }

        // ---- outcomes

        private sealed class QueuedOutcome
        {
            public string CommandId;
            public byte[] Body;
            public Uri Site;
            public DateTime ExpiresAt;
        }

        private static readonly Queue<QueuedOutcome> m_Outcomes = new Queue<QueuedOutcome>();

        /// <summary>Queues the outcome of a command. `body` is a JSON object.</summary>
        public static void PostOutcome(string commandId, Uri site, int status, string body)
        {
            string text = "{\"status\":" + status.ToString(CultureInfo.InvariantCulture) + ",\"body\":" + body + "}";

            var outcome = new QueuedOutcome
            {
                CommandId = commandId,
                Body = Encoding.UTF8.GetBytes(text),
                Site = site,
                ExpiresAt = DateTime.UtcNow.AddMinutes(10)
            };

            lock (m_Lock)
            {
                m_Outcomes.Enqueue(outcome);
                Monitor.PulseAll(m_Lock);
            }
        }

        private static void SendOutcomes(WorkerState worker)
        {
            QueuedOutcome next;

            lock (m_Lock)
            {
                if (m_Outcomes.Count == 0)
                {
                    Monitor.Wait(m_Lock, 1000);
                    return;
                }

                next = m_Outcomes.Peek();

                // Drop outcomes of a former site's commands: the current site does not know their ids.
                if (next.Site != worker.Site.Base || DateTime.UtcNow > next.ExpiresAt)
                {
                    m_Outcomes.Dequeue();
                    return;
                }
            }

            if (!WaitForHello(worker) || !CanCall(worker))
                return;

            string path = "/commands/" + Uri.EscapeDataString(next.CommandId) + "?bootId=" + BootId;
            SiteAnswer answer = SiteHttp.Call(worker.Site, "POST", path, next.Body, CallTimeoutMs);
            bool isAnswered = answer.Status == 409 && answer.Code == "ANSWERED";
            bool isDone = isAnswered || answer.Status == 204 || answer.Status == 200 || answer.Status == 404 || answer.Status == 400 || answer.Status == 413;

            if (!isDone)
            {
                HandleRefusal(worker, answer, "outcome");
                return;
            }

            worker.Failures = 0;
            RecordAnswer(worker);

            lock (m_Lock)
                m_Outcomes.Dequeue();

            if (isAnswered)
                RequireHello(worker);

            if (answer.Status == 413)
                Journal.Report("outcome", "The site refused the outcome of a command as too large.");
            else if (answer.Status == 400)
                Journal.Report("outcome", "The site refused the outcome of a command. Invalid field: " + answer.Body.TextOf("field") + ".");
        }
    }
}
