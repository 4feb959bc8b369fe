// Guildhall plugin for ServUO: reusable memory for events. Never touches the game.
using System;
using System.Collections.Generic;

namespace Guildhall
{
    /// <summary>A block of memory for JSON in UTF-8.</summary>
    internal sealed class MemoryPage
    {
        public const int UsualSize = 64 * 1024;

        public readonly byte[] Bytes;
        public int Length;
        public int Users; // counted by EventBuffer, under its lock

        public MemoryPage(int size)
        {
            Bytes = new byte[size];
        }

        public int Room { get { return Bytes.Length - Length; } }

        public void Append(JsonWriter json)
        {
            Length += json.CopyBytes(Bytes, Length);
        }

        public void Append(char ascii)
        {
            Bytes[Length++] = (byte)ascii;
        }
    }

    /// <summary>
    /// A pool of pages; any thread may use it. Allocating arrays of this size causes full garbage collections,
    /// which stop the game for tens of milliseconds.
    /// </summary>
    internal static class PagePool
    {
        private const int MaxPooled = 96; // 6 MiB, the size of a snapshot of 20,000 items

        private static readonly Stack<MemoryPage> m_Unused = new Stack<MemoryPage>();

        /// <summary>Returns an empty page with room for this number of bytes.</summary>
        public static MemoryPage Take(int bytes)
        {
            if (bytes > MemoryPage.UsualSize)
                return new MemoryPage(bytes);

            lock (m_Unused)
            {
                if (m_Unused.Count > 0)
                    return m_Unused.Pop();
            }

            return new MemoryPage(MemoryPage.UsualSize);
        }

        public static void Return(MemoryPage page)
        {
            if (page.Bytes.Length != MemoryPage.UsualSize)
                return;

            page.Length = 0;

            lock (m_Unused)
            {
                if (m_Unused.Count < MaxPooled)
                    m_Unused.Push(page);
            }
        }
    }
}
