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
        private sealed class ValueChange
        {
            public long Old;
            public long New;
        }

        private struct SumKey : IEquatable<SumKey>
        {
            public readonly string Kind;
            public readonly Mobile Mobile;
            public readonly string Type;

            public SumKey(string kind, Mobile mobile, string type)
            {
                Kind = kind;
                Mobile = mobile;
                Type = type;
            }

            public bool Equals(SumKey other)
            {
                return Kind == other.Kind && Mobile == other.Mobile && Type == other.Type;
            }

            public override bool Equals(object other)
            {
                return other is SumKey && Equals((SumKey)other);
            }

            public override int GetHashCode()
            {
                return Mobile.GetHashCode() ^ Kind.GetHashCode() ^ (Type == null ? 0 : Type.GetHashCode());
            }
        }

        private static Dictionary<SumKey, ValueChange> m_Changes = new Dictionary<SumKey, ValueChange>();
        private static Dictionary<SumKey, long> m_Amounts = new Dictionary<SumKey, long>();

        public static void AddValue(string kind, Mobile m, long before, long now)
        {
            ValueChange change;

            if (!Facts.IsPublicPlayer(m) || !EventBuffer.IsOpen)
                return;

            var key = new SumKey(kind, m, null);

            if (m_Changes.TryGetValue(key, out change))
                change.New = now;
            else
                m_Changes[key] = new ValueChange { Old = before, New = now };
        }

        public static void AddAmount(string kind, Mobile m, string type, long amount)
        {
            long sum;

            if (!Facts.IsPublicPlayer(m) || !EventBuffer.IsOpen)
                return;

            var key = new SumKey(kind, m, type);
            m_Amounts.TryGetValue(key, out sum);
            m_Amounts[key] = Math.Min(Int32.MaxValue, sum + Math.Max(0, amount));
        }

        public static IEnumerator Report()
        {
            var changes = m_Changes;
            var amounts = m_Amounts;
            m_Changes = new Dictionary<SumKey, ValueChange>();
            m_Amounts = new Dictionary<SumKey, long>();
            RemoveExpiredTimes();

            foreach (var entry in changes)
            {
                if (entry.Value.Old == entry.Value.New)
                    continue;

                Mobile m = entry.Key.Mobile;
                Events.Emit(entry.Key.Kind, Events.MakeKey(entry.Key.Kind, m), new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Field("old", entry.Value.Old).Field("new", entry.Value.New).Close());
                yield return null;
            }

            foreach (var entry in amounts)
            {
                Mobile m = entry.Key.Mobile;
                Events.Emit(entry.Key.Kind, Events.MakeKey(entry.Key.Kind + ":" + entry.Key.Type, m), new JsonWriter().Open().Serial("serial", m.Serial).Field("name", Facts.NameOf(m)).Field("type", entry.Key.Type).Field("amount", entry.Value).Close());
                yield return null;
            }
        }

        // ---- limits of one event per period

        private static readonly Dictionary<SumKey, DateTime> m_BlockedUntil = new Dictionary<SumKey, DateTime>();

        public static bool IsFirstWithin(string kind, Mobile m, int seconds)
        {
            var key = new SumKey(kind, m, null);
            DateTime until, now = DateTime.UtcNow;

            if (m_BlockedUntil.TryGetValue(key, out until) && now < until)
                return false;

            m_BlockedUntil[key] = now.AddSeconds(seconds);
            return true;
        }

        private static void RemoveExpiredTimes()
        {
            DateTime now = DateTime.UtcNow;
            var expired = new List<SumKey>();

            foreach (var entry in m_BlockedUntil)
            {
                if (entry.Value < now)
                    expired.Add(entry.Key);
            }

            foreach (SumKey key in expired)
                m_BlockedUntil.Remove(key);
        }

        // ---- items that were just crafted

        private static readonly Queue<int> m_Crafted = new Queue<int>();

        public static void AddCrafted(Item item)
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
