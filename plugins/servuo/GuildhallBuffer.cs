// Guildhall plugin for ServUO: the events that the site has not stored yet. No part of the game is
// touched here, and every member may be called from any thread.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Threading;

namespace Guildhall
{
    /// <summary>Milliseconds that only rise, whatever is done to the clock of the host.</summary>
    internal static class Clock
    {
        public static double Ms { get { return Stopwatch.GetTimestamp() * 1000.0 / Stopwatch.Frequency; } }
    }

    /// <summary>One call's worth of events.</summary>
    internal sealed class EventBatch
    {
        public byte[] Body;
        public int Events;
        public long GapEnd; // highest seq that a gap before the events covers, else 0
    }

    /// <summary>
    /// Keeps events in memory until the site has stored them: at most 20,000 events and 16 MiB. When it
    /// overflows, the oldest events are dropped and the next batch reports them as a gap.
    /// </summary>
    internal static class EventBuffer
    {
        public const int MostEvents = 20000;
        public const int MostBytes = 16 * 1024 * 1024;

        /// <summary>The site takes 256 KiB an event, its envelope included.</summary>
        public const int MostEventBytes = 255 * 1024;

        private struct Entry
        {
            public long Seq;
            public byte[] Head;
            public ArraySegment<byte> Payload;

            public int Bytes { get { return Head.Length + Payload.Count + 1; } }
        }

        private static readonly object m_Lock = new object();
        private static readonly Queue<Entry> m_Entries = new Queue<Entry>();

        private static string m_Epoch = Guid.NewGuid().ToString();
        private static long m_Bytes;
        private static long m_Head; // seq of the newest event ever added
        private static long m_Stored; // highest seq that the site has stored
        private static long m_Dropped;
        private static bool m_IsOpen;

        public static string Epoch { get { lock (m_Lock) return m_Epoch; } }
        public static long Head { get { lock (m_Lock) return m_Head; } }
        public static long Stored { get { lock (m_Lock) return m_Stored; } }
        public static long Dropped { get { lock (m_Lock) return m_Dropped; } }
        public static int Count { get { lock (m_Lock) return m_Entries.Count; } }
        public static long Bytes { get { lock (m_Lock) return m_Bytes; } }

        /// <summary>While it is closed, events are thrown away: no site is configured, or another server took over.</summary>
        public static bool IsOpen
        {
            get { lock (m_Lock) return m_IsOpen; }
            set
            {
                lock (m_Lock)
                {
                    m_IsOpen = value;

                    if (!value)
                        Empty();
                }
            }
        }

        /// <summary>
        /// Adds an event, whose payload is JSON in UTF-8, and wakes the sender. The buffer keeps the payload's
        /// array. Returns the event's seq, or 0 when the event was thrown away.
        /// </summary>
        public static long Add(string kind, long time, string eventKey, ArraySegment<byte> payload)
        {
            if (payload.Count > MostEventBytes)
            {
                Journal.Report("size", "An event of the kind " + kind + " is too large for the site and was left out.");
                return 0;
            }

            lock (m_Lock)
            {
                if (!m_IsOpen)
                    return 0;

                var head = new JsonWriter(160).Open().Field("seq", ++m_Head).Field("kind", kind).Field("t", time);

                if (eventKey != null)
                    head.Field("eventKey", eventKey);

                var entry = new Entry { Seq = m_Head, Head = head.Name("payload").ToBytes(), Payload = payload };
                m_Entries.Enqueue(entry);
                m_Bytes += entry.Bytes;

                while (m_Entries.Count > MostEvents || m_Bytes > MostBytes)
                {
                    Take();
                    m_Dropped++;
                }

                Monitor.PulseAll(m_Lock);
                return m_Head;
            }
        }

        /// <summary>Gives up an event that is too large for what is between the site and the game.</summary>
        public static void DropOldest()
        {
            lock (m_Lock)
            {
                if (m_Entries.Count == 0)
                    return;

                Take();
                m_Dropped++;
            }
        }

        private static void Take()
        {
            m_Bytes -= m_Entries.Dequeue().Bytes;
        }

        private static void Empty()
        {
            m_Entries.Clear();
            m_Bytes = 0;
            m_Stored = m_Head;
        }

        /// <summary>Starts a new numbering: what is buffered is sent as a buffer of its own.</summary>
        public static void BeginEpoch()
        {
            lock (m_Lock)
                m_Epoch = Guid.NewGuid().ToString();
        }

        /// <summary>The position for a hello: `oldest` is `head + 1` when the buffer is empty.</summary>
        public static void ReadPosition(out string epoch, out long oldest, out long head)
        {
            lock (m_Lock)
            {
                epoch = m_Epoch;
                head = m_Head;
                oldest = FirstSeq();
            }
        }

        private static long FirstSeq()
        {
            return m_Entries.Count > 0 ? m_Entries.Peek().Seq : m_Head + 1;
        }

        /// <summary>
        /// Takes the site's position: events up to it are dropped. After a restore of the site it may lie
        /// below what was stored before; what the buffer no longer holds is then reported as a gap.
        /// </summary>
        public static void Resume(long storedSeq)
        {
            lock (m_Lock)
            {
                m_Stored = storedSeq;
                DropStored();
            }
        }

        /// <summary>Drops events that the site has stored for good.</summary>
        public static void Confirm(string epoch, long storedSeq)
        {
            lock (m_Lock)
            {
                if (epoch != m_Epoch || storedSeq <= m_Stored || storedSeq > m_Head)
                    return;

                m_Stored = storedSeq;
                DropStored();
                Monitor.PulseAll(m_Lock);
            }
        }

        private static void DropStored()
        {
            while (m_Entries.Count > 0 && m_Entries.Peek().Seq <= m_Stored)
                Take();
        }

        public static bool HasWork { get { lock (m_Lock) return HasWorkLocked(); } }

        private static bool HasWorkLocked()
        {
            return m_Entries.Count > 0 || m_Stored < m_Head;
        }

        /// <summary>Waits until there is something to send.</summary>
        public static bool WaitForWork(int timeoutMs)
        {
            lock (m_Lock)
            {
                if (!HasWorkLocked())
                    Monitor.Wait(m_Lock, timeoutMs);

                return HasWorkLocked();
            }
        }

        /// <summary>Waits until the site has stored everything, as long as that makes sense at a shutdown.</summary>
        public static void WaitUntilStored(int timeoutMs)
        {
            double end = Clock.Ms + timeoutMs;

            lock (m_Lock)
            {
                for (; ; )
                {
                    double left = end - Clock.Ms;

                    if (left <= 0 || !HasWorkLocked())
                        return;

                    Monitor.Wait(m_Lock, (int)Math.Ceiling(left));
                }
            }
        }

        /// <summary>Makes the body of the next call from the oldest events. Returns null when there is nothing to send.</summary>
        public static EventBatch MakeBatch(string bootId, int maxEvents, int maxBytes)
        {
            lock (m_Lock)
            {
                if (!HasWorkLocked())
                    return null;

                var start = new JsonWriter(256).Open().Field("epoch", m_Epoch).Field("bootId", bootId);
                long first = FirstSeq();

                bool hasGap = first > m_Stored + 1;

                if (hasGap)
                    start.Open("gap").Field("from", m_Stored + 1).Field("to", first - 1).Field("reason", "events were dropped because the buffer was full").Close();

                var body = new MemoryStream(64 * 1024);
                Write(body, start.Name("events").OpenList());

                int count = 0;

                foreach (Entry entry in m_Entries)
                {
                    if (count >= maxEvents || (count > 0 && body.Length + entry.Bytes + 16 > maxBytes))
                        break;

                    if (count++ > 0)
                        body.WriteByte((byte)',');

                    body.Write(entry.Head, 0, entry.Head.Length);
                    body.Write(entry.Payload.Array, entry.Payload.Offset, entry.Payload.Count);
                    body.WriteByte((byte)'}');
                }

                body.WriteByte((byte)']');
                body.WriteByte((byte)'}');
                return new EventBatch { Body = body.ToArray(), Events = count, GapEnd = hasGap ? first - 1 : 0 };
            }
        }

        private static void Write(Stream to, JsonWriter json)
        {
            byte[] bytes = json.ToBytes();
            to.Write(bytes, 0, bytes.Length);
        }
    }
}
