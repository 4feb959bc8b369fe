// Guildhall plugin for ServUO: reusable memory for events. Never touches the game.
using System;
using System.Collections.Generic;

namespace Guildhall
{
    /// <summary>A block of memory for JSON in UTF-8.</summary>
    internal sealed class Page
    {
        public const int UsualSize = 64 * 1024;

        public readonly byte[] Bytes;
        public int Length;
        public int Users; // counted by EventBuffer, under its lock

        public Page(int size)
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
    internal static class Pages
    {
        private const int MostKept = 96; // 6 MiB, the size of a snapshot of 20,000 items

        private static readonly Stack<Page> m_Unused = new Stack<Page>();

        /// <summary>Returns an empty page with room for this number of bytes.</summary>
        public static Page Take(int bytes)
        {
            if (bytes > Page.UsualSize)
                return new Page(bytes);

            lock (m_Unused)
            {
                if (m_Unused.Count > 0)
                    return m_Unused.Pop();
            }

            return new Page(Page.UsualSize);
        }

        public static void Return(Page page)
        {
            if (page.Bytes.Length != Page.UsualSize)
                return;

            page.Length = 0;

            lock (m_Unused)
            {
                if (m_Unused.Count < MostKept)
                    m_Unused.Push(page);
            }
        }
    }
}
