// Guildhall plugin for ServUO: adds up frequent events per player and reports the sums once a minute.
// Core thread only.
using System;
using System.Collections;
using System.Collections.Generic;
using Server;

namespace Guildhall
{
    internal static class Sums
    {
        private sealed class Change
        {
            public long Old;
            public long New;
        }

        private struct Subject : IEquatable<Subject>
        {
            public readonly string Kind;
            public readonly Mobile Mobile;
            public readonly string Type;

            public Subject(string kind, Mobile mobile, string type)
            {
                Kind = kind;
                Mobile = mobile;
                Type = type;
            }

            public bool Equals(Subject other)
            {
                return Kind == other.Kind && Mobile == other.Mobile && Type == other.Type;
            }

            public override bool Equals(object other)
            {
                return other is Subject && Equals((Subject)other);
            }

            public override int GetHashCode()
            {
                return Mobile.GetHashCode() ^ Kind.GetHashCode() ^ (Type == null ? 0 : Type.GetHashCode());
            }
        }

        private static Dictionary<Subject, Change> m_Changes = new Dictionary<Subject, Change>();
        private static Dictionary<Subject, long> m_Made = new Dictionary<Subject, long>();

        public static void AddChange(string kind, Mobile m, long before, long now)
        {
            Change change;

            if (!Facts.IsShown(m) || !EventBuffer.IsOpen)
                return;

            var subject = new Subject(kind, m, null);

            if (m_Changes.TryGetValue(subject, out change))
                change.New = now;
            else
                m_Changes[subject] = new Change { Old = before, New = now };
        }

        public static void AddMade(string kind, Mobile m, string type, long amount)
        {
            long sum;

            if (!Facts.IsShown(m) || !EventBuffer.IsOpen)
                return;

            var subject = new Subject(kind, m, type);
            m_Made.TryGetValue(subject, out sum);
            m_Made[subject] = Math.Min(Int32.MaxValue, sum + Math.Max(0, amount));
        }

        public static IEnumerator Tell()
        {
            var changes = m_Changes;
            var made = m_Made;
            m_Changes = new Dictionary<Subject, Change>();
            m_Made = new Dictionary<Subject, long>();
            ForgetTimes();

            foreach (var entry in changes)
            {
                if (entry.Value.Old == entry.Value.New)
                    continue;

                Mobile m = entry.Key.Mobile;
                Events.Emit(entry.Key.Kind, Events.Key(entry.Key.Kind, m), new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Field("old", entry.Value.Old).Field("new", entry.Value.New).Close());
                yield return null;
            }

            foreach (var entry in made)
            {
                Mobile m = entry.Key.Mobile;
                Events.Emit(entry.Key.Kind, Events.Key(entry.Key.Kind + ":" + entry.Key.Type, m), new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Field("type", entry.Key.Type).Field("amount", entry.Value).Close());
                yield return null;
            }
        }

        // ---- limits of one event per period

        private static readonly Dictionary<Subject, DateTime> m_Times = new Dictionary<Subject, DateTime>();

        public static bool IsFirstWithin(string kind, Mobile m, int seconds)
        {
            var subject = new Subject(kind, m, null);
            DateTime until, now = DateTime.UtcNow;

            if (m_Times.TryGetValue(subject, out until) && now < until)
                return false;

            m_Times[subject] = now.AddSeconds(seconds);
            return true;
        }

        private static void ForgetTimes()
        {
            DateTime now = DateTime.UtcNow;
            var over = new List<Subject>();

            foreach (var entry in m_Times)
            {
                if (entry.Value < now)
                    over.Add(entry.Key);
            }

            foreach (Subject subject in over)
                m_Times.Remove(subject);
        }

        // ---- items that were just crafted

        private static readonly Queue<int> m_Crafted = new Queue<int>();

        public static void NoteCrafted(Item item)
        {
            m_Crafted.Enqueue(item.Serial.Value);

            while (m_Crafted.Count > 50)
                m_Crafted.Dequeue();
        }

        public static bool WasCrafted(Item item)
        {
            return m_Crafted.Contains(item.Serial.Value);
        }
    }
}
