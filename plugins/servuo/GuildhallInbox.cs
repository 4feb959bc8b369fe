// Guildhall plugin for ServUO: receives the site's commands and posts their outcomes.
using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using System.Threading;

namespace Guildhall
{
    /// <summary>A command of the site. It is immutable, so any thread may read it.</summary>
    internal sealed class Command
    {
        public readonly string Id;
        public readonly string Call; // method and path template, such as POST /v1/broadcast
        public readonly string Key; // idempotency key; null for reads
        public readonly Dictionary<string, object> Params;
        public readonly Dictionary<string, object> Query;
        public readonly Dictionary<string, object> Body;
        public readonly long? UserId;
        public readonly string Username;
        public readonly Uri Site; // sender; another site does not know the id
        public readonly DateTime ExpiresAt;

        public Command(Dictionary<string, object> from, Uri site)
        {
            Id = from.TextOf("id");
            Call = from.TextOf("call");
            Key = from.TextOf("key");
            Params = from.ObjectOf("params");
            Query = from.ObjectOf("query");
            Body = from.ObjectOf("body");
            UserId = from.ObjectOf("actor").IntegerOf("userId");
            Username = from.ObjectOf("actor").TextOf("username");
            Site = site;
            ExpiresAt = DateTime.UtcNow.AddMilliseconds(from.IntegerOf("timeoutMs") ?? 10000);
        }

        /// <summary>
        /// Returns an equal text for equal requests. It is a hash, because the plugin stores it for a day and the
        /// body may contain a password.
        /// </summary>
        public string Fingerprint()
        {
            var writer = new JsonWriter().OpenList().Value(Call);
            JsonMembers.WriteCanonical(writer, Params);
            JsonMembers.WriteCanonical(writer, Query);
            JsonMembers.WriteCanonical(writer, Body);

            using (SHA256 hash = SHA256.Create())
                return Convert.ToBase64String(hash.ComputeHash(Encoding.UTF8.GetBytes(writer.CloseList().ToString())));
        }
    }

    /// <summary>The answer to a command: an HTTP status and a JSON object.</summary>
    internal sealed class CommandOutcome
    {
        public readonly int Status;
        public readonly string Body;

        public CommandOutcome(int status, string body)
        {
            Status = status;
            Body = body;
        }

        public CommandOutcome(JsonWriter body)
            : this(200, body.ToString())
        { }

        public bool IsSuccess { get { return Status >= 200 && Status < 300; } }
    }

    /// <summary>Refuses a command with the status and code that the site expects.</summary>
    internal sealed class RefusalException : Exception
    {
        private readonly int m_Status;
        private readonly string m_Code;
        private readonly string m_Field;
        private readonly string m_Reason;

        public RefusalException(int status, string code)
            : this(status, code, null, null)
        { }

        public RefusalException(int status, string code, string field, string reason)
            : base(code)
        {
            m_Status = status;
            m_Code = code;
            m_Field = field;
            m_Reason = reason;
        }

        public static RefusalException Invalid(string field, string reason)
        {
            return new RefusalException(400, "INVALID", field, reason);
        }

        public static RefusalException NotFound()
        {
            return new RefusalException(404, "NOT_FOUND");
        }

        public CommandOutcome ToOutcome()
        {
            var body = new JsonWriter().Open().Field("code", m_Code);

            if (m_Field != null)
                body.Field("field", m_Field);

            if (m_Reason != null)
                body.Field("reason", m_Reason);

            return new CommandOutcome(m_Status, body.Close().ToString());
        }
    }

    /// <summary>
    /// Receives commands, queues each for the core thread or the file thread, and posts its outcome. A command
    /// with a repeated key gets the outcome of the first command with that key.
    /// </summary>
    internal static class Inbox
    {
        private const int MaxKeys = 10000;
        private static readonly TimeSpan KeyLifetime = TimeSpan.FromHours(24);

        private sealed class KeyedCommand
        {
            public string Fingerprint;
            public CommandOutcome Outcome; // null while the command is running
            public DateTime EndedAt;
            public readonly List<Command> WaitingCommands = new List<Command>();
        }

        private static readonly object m_Lock = new object();
        private static readonly Dictionary<string, KeyedCommand> m_Keys = new Dictionary<string, KeyedCommand>(StringComparer.Ordinal);
        private static readonly Queue<Command> m_ForGame = new Queue<Command>();
        private static readonly Queue<Command> m_ForFiles = new Queue<Command>();
        private static readonly Queue<string[]> m_Hellos = new Queue<string[]>();
        private static int m_GameWorkCount; // read without the lock by the core thread

        public static Action WakeGame = delegate { };

        public static bool HasWorkForGame { get { return m_GameWorkCount > 0; } }

        /// <summary>Queues the site's answer to a hello: the families whose snapshots it needs.</summary>
        public static void QueueHello(string[] families)
        {
            lock (m_Lock)
            {
                m_Hellos.Enqueue(families);
                Interlocked.Increment(ref m_GameWorkCount);
            }

            WakeGame();
        }

        public static string[] TakeHello()
        {
            lock (m_Lock)
            {
                if (m_Hellos.Count == 0)
                    return null;

                Interlocked.Decrement(ref m_GameWorkCount);
                return m_Hellos.Dequeue();
            }
        }

        public static Command TakeForGame()
        {
            lock (m_Lock)
            {
                if (m_ForGame.Count == 0)
                    return null;

                Interlocked.Decrement(ref m_GameWorkCount);
                return m_ForGame.Dequeue();
            }
        }

        /// <summary>Waits for a command that reads files.</summary>
        public static Command TakeForFiles()
        {
            lock (m_Lock)
            {
                while (m_ForFiles.Count == 0)
                    Monitor.Wait(m_Lock);

                return m_ForFiles.Dequeue();
            }
        }

        public static void Receive(Command command)
        {
            CommandOutcome outcome;

            if (command.Key != null && FindOutcome(command, out outcome))
            {
                if (outcome != null)
                    Post(command, outcome);

                return;
            }

            if (FileCalls.CanHandle(command.Call))
            {
                lock (m_Lock)
                {
                    m_ForFiles.Enqueue(command);
                    Monitor.PulseAll(m_Lock);
                }
            }
            else
            {
                lock (m_Lock)
                {
                    m_ForGame.Enqueue(command);
                    Interlocked.Increment(ref m_GameWorkCount);
                }

                WakeGame();
            }
        }

        /// <summary>
        /// Returns true if the command must not run: its outcome is known, or a command with the same key is
        /// running. In the second case `outcome` is null, and the command waits for the running one's outcome.
        /// </summary>
        private static bool FindOutcome(Command command, out CommandOutcome outcome)
        {
            string fingerprint = command.Fingerprint();
            outcome = null;

            lock (m_Lock)
            {
                KeyedCommand keyed;

                if (m_Keys.TryGetValue(command.Key, out keyed) && keyed.Outcome != null && DateTime.UtcNow - keyed.EndedAt > KeyLifetime)
                    keyed = null;

                if (keyed == null)
                {
                    RemoveOldKeys();
                    keyed = new KeyedCommand { Fingerprint = fingerprint };
                    keyed.WaitingCommands.Add(command);
                    m_Keys[command.Key] = keyed;
                    return false;
                }

                if (keyed.Fingerprint != fingerprint)
                    outcome = new RefusalException(409, "CONFLICT").ToOutcome();
                else if (keyed.Outcome != null)
                    outcome = keyed.Outcome;
                else
                    keyed.WaitingCommands.Add(command);

                return true;
            }
        }

        private static void RemoveOldKeys()
        {
            if (m_Keys.Count < MaxKeys)
                return;

            var old = new List<string>();
            DateTime now = DateTime.UtcNow;

            foreach (var entry in m_Keys)
            {
                if (entry.Value.Outcome != null && (now - entry.Value.EndedAt > KeyLifetime || old.Count < MaxKeys / 10))
                    old.Add(entry.Key);
            }

            foreach (string key in old)
                m_Keys.Remove(key);
        }

        /// <summary>Posts the outcome of a command that <see cref="Receive"/> queued.</summary>
        public static void Finish(Command command, CommandOutcome outcome)
        {
            if (command.Key == null)
            {
                Post(command, outcome);
                return;
            }

            List<Command> waiting;

            lock (m_Lock)
            {
                KeyedCommand keyed;

                if (!m_Keys.TryGetValue(command.Key, out keyed) || keyed.Outcome != null)
                    return;

                waiting = new List<Command>(keyed.WaitingCommands);
                keyed.WaitingCommands.Clear();

                if (outcome.IsSuccess)
                {
                    keyed.Outcome = outcome;
                    keyed.EndedAt = DateTime.UtcNow;
                }
                else
                    m_Keys.Remove(command.Key); // a refusal had no effect, so a retry may succeed
            }

            foreach (Command each in waiting)
                Post(each, outcome);
        }

        private static void Post(Command command, CommandOutcome outcome)
        {
            Link.PostOutcome(command.Id, command.Site, outcome.Status, outcome.Body);
        }
    }
}
