// Guildhall plugin for ServUO: the events that the site has not stored yet. Never touches the game;
// any thread may call every member.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace Guildhall
{
    /// <summary>A monotonic clock: changes of the host's clock do not affect it.</summary>
    internal static class Clock
    {
        public static double Ms { get { return Stopwatch.GetTimestamp() * 1000.0 / Stopwatch.Frequency; } }
    }

    internal sealed class EventBatch
    {
        public byte[] Body; // reused for the next batch
        public int Length;
        public int Events;
        public long GapEnd; // last seq of the gap before the events, or 0
    }

    /// <summary>
    /// Keeps events in memory until the site has stored them: at most 20,000 events and 16 MiB. When it
    /// overflows, the oldest events are dropped and the next batch reports them as a gap.
    /// </summary>
    internal static class EventBuffer
    {
        public const int MaxEvents = 20000;
        public const int MaxBytes = 16 * 1024 * 1024;

        /// <summary>The site accepts 256 KiB per event, its envelope included.</summary>
        public const int MaxEventBytes = 255 * 1024;

        /// <summary>A range of bytes in a page. Each piece adds one to the page's reference count.</summary>
        private struct Piece
        {
            public MemoryPage Page;
            public int At;
            public int Count;
        }

        private struct Entry
        {
            public long Seq;
            public Piece Head;
            public Piece Payload;

            public int Bytes { get { return Head.Count + Payload.Count + 1; } }
        }

        private static readonly object m_Lock = new object();
        private static readonly Queue<Entry> m_Entries = new Queue<Entry>();
        private static readonly JsonWriter m_HeadJson = new JsonWriter(512);
        private static MemoryPage m_Page; // takes the next events

        private static string m_Epoch = Guid.NewGuid().ToString();
        private static long m_Bytes;
        private static long m_Head; // seq of the newest event ever added
        private static long m_Stored; // highest seq that the site has stored
        private static long m_Dropped;
        private static volatile bool m_IsOpen;

        public static string Epoch { get { lock (m_Lock) return m_Epoch; } }
        public static long Head { get { lock (m_Lock) return m_Head; } }
        public static long Stored { get { lock (m_Lock) return m_Stored; } }
        public static long Dropped { get { lock (m_Lock) return m_Dropped; } }
        public static int Count { get { lock (m_Lock) return m_Entries.Count; } }
        public static long Bytes { get { lock (m_Lock) return m_Bytes; } }

        /// <summary>While it is false, events are discarded: no site is set, or another server took over the link.</summary>
        public static bool IsOpen
        {
            get { return m_IsOpen; }
            set
            {
                lock (m_Lock)
                {
                    m_IsOpen = value;

                    if (!value)
                        RemoveAll();
                }
            }
        }

        /// <summary>Adds an event and wakes the sender. Returns its seq, or 0 if the event was discarded.</summary>
        public static long Add(string kind, long time, string eventKey, JsonWriter payload)
        {
            if (IsTooLarge(kind, payload.CountBytes()))
                return 0;

            lock (m_Lock)
                return m_IsOpen ? Enqueue(kind, time, eventKey, Store(payload)) : 0;
        }

        /// <summary>Adds an event whose payload is a page. The buffer then owns the page.</summary>
        public static long Add(string kind, long time, MemoryPage payload)
        {
            bool isTooLarge = IsTooLarge(kind, payload.Length);

            lock (m_Lock)
            {
                payload.Users = 1;

                if (m_IsOpen && !isTooLarge)
                    return Enqueue(kind, time, null, new Piece { Page = payload, Count = payload.Length });

                Release(payload);
                return 0;
            }
        }

        private static bool IsTooLarge(string kind, int bytes)
        {
            if (bytes <= MaxEventBytes)
                return false;

            Journal.Report("size", "The plugin discarded an event of the kind " + kind + ", because it is too large for the site.");
            return true;
        }

        private static long Enqueue(string kind, long time, string eventKey, Piece payload)
        {
            m_HeadJson.Clear().Open().Field("seq", ++m_Head).Field("kind", kind).Field("t", time);

            if (eventKey != null)
                m_HeadJson.Field("eventKey", eventKey);

            var entry = new Entry { Seq = m_Head, Head = Store(m_HeadJson.Name("payload")), Payload = payload };
            m_Entries.Enqueue(entry);
            m_Bytes += entry.Bytes;

            while (m_Entries.Count > MaxEvents || m_Bytes > MaxBytes)
            {
                RemoveOldest();
                m_Dropped++;
            }

            Monitor.PulseAll(m_Lock);
            return m_Head;
        }

        private static Piece Store(JsonWriter json)
        {
            int bytes = json.CountBytes();

            if (m_Page != null && m_Page.Users == 1)
                m_Page.Length = 0; // no buffered event uses the page

            if (m_Page == null || m_Page.Room < bytes)
            {
                if (m_Page != null)
                    Release(m_Page);

                m_Page = PagePool.Take(bytes);
                m_Page.Users = 1;
            }

            var piece = new Piece { Page = m_Page, At = m_Page.Length, Count = bytes };
            m_Page.Append(json);
            m_Page.Users++;
            return piece;
        }

        private static void Release(MemoryPage page)
        {
            if (--page.Users == 0)
                PagePool.Return(page);
        }

        private static void Release(Entry entry)
        {
            Release(entry.Head.Page);
            Release(entry.Payload.Page);
        }

        /// <summary>Drops an event that a proxy between the game and the site refuses as too large.</summary>
        public static void DropOldest()
        {
            lock (m_Lock)
            {
                if (m_Entries.Count == 0)
                    return;

                RemoveOldest();
                m_Dropped++;
            }
        }

        private static void RemoveOldest()
        {
            Entry entry = m_Entries.Dequeue();
            m_Bytes -= entry.Bytes;
            Release(entry);
        }

        private static void RemoveAll()
        {
            while (m_Entries.Count > 0)
                RemoveOldest();

            m_Stored = m_Head;
        }

        /// <summary>
        /// Closes the buffer and resets its sequence numbers. Call it only before the first hello.
        /// </summary>
        public static void Reset()
        {
            lock (m_Lock)
            {
                IsOpen = false;
                m_Head = m_Stored = m_Dropped = 0;
            }
        }

        /// <summary>Starts a new epoch, to which the buffered events belong from then on.</summary>
        public static void BeginEpoch()
        {
            lock (m_Lock)
                m_Epoch = Guid.NewGuid().ToString();
        }

        /// <summary>Reads the position for a hello; `oldest` is `head + 1` if the buffer is empty.</summary>
        public static void ReadPosition(out string epoch, out long oldest, out long head)
        {
            lock (m_Lock)
            {
                epoch = m_Epoch;
                head = m_Head;
                oldest = GetFirstSeq();
            }
        }

        private static long GetFirstSeq()
        {
            return m_Entries.Count > 0 ? m_Entries.Peek().Seq : m_Head + 1;
        }

        /// <summary>
        /// Sets the position of the site and drops events up to it. After a restore of the site's database, the
        /// position can be lower than before; the next batch reports the events that were already dropped as a gap.
        /// </summary>
        public static void Resume(long storedSeq)
        {
            lock (m_Lock)
            {
                m_Stored = storedSeq;
                DropStored();
            }
        }

        /// <summary>Drops the events that the site has stored; ignores a position of another epoch.</summary>
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
                RemoveOldest();
        }

        public static bool HasWork { get { lock (m_Lock) return HasWorkLocked(); } }

        private static bool HasWorkLocked()
        {
            return m_Entries.Count > 0 || m_Stored < m_Head;
        }

        /// <summary>Waits for events to send. Returns false if there are none after the timeout.</summary>
        public static bool WaitForWork(int timeoutMs)
        {
            lock (m_Lock)
            {
                if (!HasWorkLocked())
                    Monitor.Wait(m_Lock, timeoutMs);

                return HasWorkLocked();
            }
        }

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

        // ---- batches; only the thread that sends events makes them

        private static readonly List<Entry> m_Batch = new List<Entry>();
        private static byte[] m_Body = new byte[64 * 1024];
        private static int m_BodyLength;

        /// <summary>
        /// Makes the body of the next call from the oldest events. Returns null if there are none to send.
        /// Copies the bytes outside the lock, because the game waits for the lock at each event.
        /// </summary>
        public static EventBatch MakeBatch(string bootId, int maxEvents, int maxBytes)
        {
            var start = new JsonWriter(512);
            int length;
            long gapEnd;

            lock (m_Lock)
            {
                if (!HasWorkLocked())
                    return null;

                gapEnd = WriteStart(start, bootId);
                length = ChooseEntries(start.CountBytes() + 2, maxEvents, maxBytes);
            }

            if (m_Body.Length < length)
                m_Body = new byte[Math.Max(length, m_Body.Length * 2)];

            m_BodyLength = start.CopyBytes(m_Body, 0);

            for (int i = 0; i < m_Batch.Count; i++)
                CopyEntry(m_Batch[i], i > 0);

            m_Body[m_BodyLength++] = (byte)']';
            m_Body[m_BodyLength++] = (byte)'}';

            lock (m_Lock)
            {
                foreach (Entry entry in m_Batch)
                    Release(entry);
            }

            var batch = new EventBatch { Body = m_Body, Length = m_BodyLength, Events = m_Batch.Count, GapEnd = gapEnd };
            m_Batch.Clear();
            return batch;
        }

        /// <summary>Writes the members before the events. Returns the last seq of a gap, or 0.</summary>
        private static long WriteStart(JsonWriter to, string bootId)
        {
            long first = GetFirstSeq();
            bool hasGap = first > m_Stored + 1;
            to.Open().Field("epoch", m_Epoch).Field("bootId", bootId);

            if (hasGap)
                to.Open("gap").Field("from", m_Stored + 1).Field("to", first - 1).Field("reason", "events were dropped because the buffer was full").Close();

            to.Name("events").OpenList();
            return hasGap ? first - 1 : 0;
        }

        /// <summary>
        /// Chooses the events of a batch and increments the reference counts of their pages. Returns the length
        /// of the body.
        /// </summary>
        private static int ChooseEntries(int length, int maxEvents, int maxBytes)
        {
            m_Batch.Clear();

            foreach (Entry entry in m_Entries)
            {
                if (m_Batch.Count >= maxEvents || (m_Batch.Count > 0 && length + entry.Bytes + 16 > maxBytes))
                    break;

                entry.Head.Page.Users++;
                entry.Payload.Page.Users++;
                length += entry.Bytes + 1;
                m_Batch.Add(entry);
            }

            return length;
        }

        private static void CopyEntry(Entry entry, bool needsComma)
        {
            if (needsComma)
                m_Body[m_BodyLength++] = (byte)',';

            CopyPiece(entry.Head);
            CopyPiece(entry.Payload);
            m_Body[m_BodyLength++] = (byte)'}';
        }

        private static void CopyPiece(Piece piece)
        {
            Buffer.BlockCopy(piece.Page.Bytes, piece.At, m_Body, m_BodyLength, piece.Count);
            m_BodyLength += piece.Count;
        }
    }
}
